"""Exact odds of dice and counters, as whole-number weights and fractions.

This package knows no rules, texts or files, and simulates nothing. Its modules are:

- ``distribution``: the exact distribution that all other modules return and accept
- ``dice``: die types, the ladder they shift along, the highest and the sum of several dice
- ``pool``: dice that are rolled again, the sum of the highest dice, the number of successes
- ``pot``: counters drawn from a pot
- ``opposed``: the highest die of one side against the highest die of the other side
- ``chain``: outcomes replaced by the results of a further roll
- ``repeat``: the same roll several times: the first outcome in an order, the number of each outcome, the sum
- ``hexes``: shots that stray over hexes
"""
