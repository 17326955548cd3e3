"""The command line: ``clew``."""

from clew.cli.app import main

__all__ = ["main"]
