"""Maps of tables as SVG."""
