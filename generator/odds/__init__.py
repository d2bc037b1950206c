"""Exact odds: dice and what comes of them, as whole-number weights and fractions.

Nothing here knows a rule, a text or a file, and nothing is simulated. A module for each idea:

- ``distribution``: the exact distribution that all the others make and take
- ``dice``: die types, the ladder they shift along, the highest and the sum of several
- ``pool``: dice that are rolled again, the sum of the highest dice, the number of successes
- ``opposed``: the best of one side's dice against the best of the other's
- ``chain``: what follows an outcome, in its place
- ``repeat``: the same roll several times: the outcome that counts first, how often each comes up, the sum
"""
