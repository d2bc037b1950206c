"""Reference sheets of a rule set."""
