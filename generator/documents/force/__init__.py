"""Documents of a force: rosters, cards, sheets of its designs."""
