"""The work of each command: a function takes the user's question and returns plain data."""
