"""Cards: their vocabulary, and where each part stands on a face."""
