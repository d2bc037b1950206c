"""Compile cards and figures of designs to formulas that read the values of a design."""
