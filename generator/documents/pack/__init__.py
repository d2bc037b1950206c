"""Documents of a battle: briefings, maps, markers, records."""
