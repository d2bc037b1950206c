"""Read YAML and CSV files as plain values whose lines and columns are known. This package knows no rules."""
