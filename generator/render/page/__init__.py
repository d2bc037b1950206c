"""The page of a sheet: its geometry, the heights of what stands on it, and how it is filled."""
