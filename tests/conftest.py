"""What all tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew: look at them first")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether golden files are to be written instead of compared."""
    yield bool(request.config.getoption("--update-golden"))
