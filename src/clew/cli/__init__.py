"""The command line: ``clew``."""

from clew.cli.main import main

__all__ = ["main"]
