"""Write results as text, Markdown, CSV or JSON. This package works on plain data, without rules or PDF engine."""
