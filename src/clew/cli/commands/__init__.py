"""The commands, a file for each thing that people come to do."""

from clew.cli.commands import about, asking, bench, bench_fit, exchange, indexing, inspecting

__all__ = ["about", "asking", "bench", "bench_fit", "exchange", "indexing", "inspecting"]
