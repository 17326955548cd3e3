"""Personalised PageRank: the method (search) and what it is made of."""
