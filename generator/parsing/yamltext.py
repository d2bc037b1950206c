"""Write plain values as YAML text that is read back as the same values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from generator.parsing.scalars import MAX_DIGITS, NumberTooLongError, read_plain

_WIDTH = 118


def to_yaml(value: Any, *, in_a_line: bool = False) -> str:
    """Return mappings and lists of texts, numbers, booleans and None as YAML, in their own order.

    Fractions become decimals. If ``in_a_line``, all is on one line without a line end, with every text in quotation
    marks. Raises yaml.YAMLError for values of other types.

    >>> print(to_yaml({"force": "Reds", "rules": ["tin"], "note": "no"}), end="")
    force: Reds
    rules:
    - tin
    note: 'no'
    >>> to_yaml(["a, b", "08", Fraction(-5, 2)], in_a_line=True)
    '["a, b", "08", -2.5]'
    """
    import yaml

    class Dumper(yaml.SafeDumper):
        """A dumper of YAML 1.1 whose output means the same in YAML 1.2."""

    def text(dumper: Dumper, content: str) -> yaml.ScalarNode:
        style = '"' if in_a_line else "'" if _is_more(content) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", content, style)

    def number(dumper: Dumper, figure: Fraction) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:float", _decimal(figure))

    Dumper.add_representer(str, text)
    Dumper.add_representer(Fraction, number)
    width = float("inf") if in_a_line else _WIDTH
    dumped: str = yaml.dump(
        value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=width, default_flow_style=in_a_line
    )
    return dumped.removesuffix("\n").removesuffix("\n...") if in_a_line else dumped


def _is_more(text: str) -> bool:
    """Return whether a text without quotes would be read as another type, such as the number 08."""
    try:
        return not isinstance(read_plain(text), str)
    except NumberTooLongError:
        return True


def _decimal(number: Fraction) -> str:
    """Return a fraction as a decimal with all its places.

    >>> _decimal(Fraction(1, 8)), _decimal(Fraction(1000)), _decimal(Fraction(10**30))
    ('0.125', '1000.0', '1.0e+30')
    """
    from decimal import Context

    context = Context(prec=60)
    quotient = context.divide(number.numerator, number.denominator)
    digits = len(quotient.as_tuple().digits)
    mantissa, _, exponent = str(quotient if digits <= MAX_DIGITS else quotient.normalize(context)).partition("E")
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}e{exponent}" if exponent else mantissa
