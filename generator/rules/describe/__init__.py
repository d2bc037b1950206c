"""A rule set as data for people and editors: rows to browse, differences, JSON Schemas."""
