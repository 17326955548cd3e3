"""Measuring: recall of passages, accuracy of answers, and whether a difference is one.

``recall`` and ``answers`` are plain functions over lists; ``bootstrap`` compares two systems on the
same questions; ``datasets`` reads questions with their corpora.
"""
