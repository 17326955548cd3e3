"""Linked evidence, the default method: a chunk is worth what the links to it carry."""
