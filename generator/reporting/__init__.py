"""Results as text, Markdown, CSV or JSON. Works on plain data: knows no rules and no engine."""
