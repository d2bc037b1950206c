"""fieldpress: printable references, odds, costs and scenario packs for miniature wargames."""

__version__ = "0.2.0"
