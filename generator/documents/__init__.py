"""The composition of documents: from rule sets, forces and scenarios to the blocks that ``generator.render`` prints."""
