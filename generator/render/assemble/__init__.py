"""Finished pages put together: bound, imposed, folded, with smaller files."""
