"""Assembly of finished pages: binding, imposition, folding, smaller files."""
