"""The commands, a file for each thing that people come to do."""

from clew.cli.commands import (
    about,
    asking,
    bench,
    bench_fit,
    checking,
    chunking,
    copying,
    curating,
    evaluating,
    exchange,
    indexing,
    inspecting,
    planning,
    removing,
    serving,
    watching,
)

__all__ = [
    "about",
    "asking",
    "bench",
    "bench_fit",
    "checking",
    "chunking",
    "copying",
    "curating",
    "evaluating",
    "exchange",
    "indexing",
    "inspecting",
    "planning",
    "removing",
    "serving",
    "watching",
]
