"""Designs and forces: read, priced with their working, checked against limits."""
