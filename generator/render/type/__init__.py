"""Letters: fonts, drawn dice, lengths of text, line breaks."""
