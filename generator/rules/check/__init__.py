"""What a rule set must fulfil beyond the shape of its files."""
