"""``setup/fuzz.py``: it tries the number of inputs that it is asked for, and prints that number and the seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "setup" / "fuzz.py"


def fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FUZZ), *words]
    return subprocess.run(  # noqa: S603 - our own command
        command, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.slow
def test_it_prints_count_and_seed_and_finds_nothing() -> None:
    done = fuzz("10", "7")
    assert done.stdout.splitlines()[-1] == "fuzz: 10 inputs, seed 7, 0 at fault"
    assert done.returncode == 0
