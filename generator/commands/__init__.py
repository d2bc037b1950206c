"""What each command does: one function takes what a person asked and gives plain data."""
