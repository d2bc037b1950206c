"""What each sheet says: from a rule set to the blocks of paper that ``generator.render`` prints."""
