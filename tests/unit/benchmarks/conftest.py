"""Benchmarks are not a part of the package: make them importable from the root of the project."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
