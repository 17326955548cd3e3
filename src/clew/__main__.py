"""``python -m clew`` is ``clew``."""

from clew.cli import main

main()
