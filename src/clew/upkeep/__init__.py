"""Keeping a knowledge base in order: deleting with a receipt, copies, other embedders, check-ups,
folders that are followed as they change.
"""
