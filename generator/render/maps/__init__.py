"""Maps of tables as SVG, and sheets of a table at full size."""
