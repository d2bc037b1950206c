"""Generate a battle from a seed: roll on tables, draw forces, lay out a map with objectives."""
