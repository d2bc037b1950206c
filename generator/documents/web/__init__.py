"""What the pages of the site say, as plain data."""
