"""Pages for a screen, made of the same blocks as paper."""
