"""Markers to cut out, drawn and packed on paper."""
