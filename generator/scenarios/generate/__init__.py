"""A battle from a seed: rolled tables, drawn forces, a map with objectives."""
