"""What a book of a publisher's folder says."""
