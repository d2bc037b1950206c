"""The geometry of a table: coordinates, outlines, and movement over the ground."""
