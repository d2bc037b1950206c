"""The geometry of a table: outlines, distances, ways over the ground."""
