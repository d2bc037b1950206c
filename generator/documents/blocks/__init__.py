"""The kinds of block of a sheet: one module composes each from rule data."""
