"""Other packages that cut texts, in an environment of their own."""
