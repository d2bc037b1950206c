"""Rule data, compiled: tables, kinds of entry, cards, options and the names that their formulas know."""
