"""The commands, a file for each thing that people come to do."""

from clew.cli.commands import about, asking, bench, exchange, indexing, inspecting

__all__ = ["about", "asking", "bench", "exchange", "indexing", "inspecting"]
