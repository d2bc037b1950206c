"""Where a rule set's data stands and comes from: files as read, places in them, provenance of every figure."""
