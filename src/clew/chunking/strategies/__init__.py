"""One strategy a file, named for it; :mod:`clew.chunking.making` makes each from its name."""
