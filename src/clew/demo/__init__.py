"""The demonstration: documents in thirteen formats, questions that need several of them, and a
check of every answer and every citation. ``clew demo`` runs it.
"""

from clew.demo.run import run_demo

__all__ = ["run_demo"]
