"""Paper: blocks that any sheet is made of, and the engine that turns them into HTML and PDF. Knows no rules."""
