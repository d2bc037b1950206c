"""``python -m generator`` and the ``fieldpress`` command."""

from __future__ import annotations

from generator.cli import main

if __name__ == "__main__":
    main()
