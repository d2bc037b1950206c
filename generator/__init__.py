"""fieldpress: printable references, odds, costs and scenario packs for miniature wargames."""

__version__ = "1.0.0"
