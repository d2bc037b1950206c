"""The blocks that sheets are made of, and their rendering to HTML and PDF. Nothing here knows game rules."""
