"""Cards: their data, and the layout of their parts on faces."""
