"""From a file's text to plain values that know their line and column. Knows no rules; yaml and csv live here."""
