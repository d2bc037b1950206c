"""Exact odds of dice and counters, as whole-number weights and fractions.

This package knows no rules, texts or files, and simulates nothing. Its modules are:

- ``distribution``: the exact distribution that all other modules return and accept, and several rolls of it
- ``dice``: die types, the ladder they shift along, dice rolled together or again, the number of successes
- ``pot``: counters drawn from a pot
- ``hexes``: shots that stray over hexes
"""
