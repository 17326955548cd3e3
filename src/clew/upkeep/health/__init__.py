"""Examining a knowledge base: what is broken, what is suspect, and what to do about each."""
