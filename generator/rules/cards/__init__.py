"""Cards and figures of designs, compiled: formulas that know what a design knows."""
