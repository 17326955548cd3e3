"""Word lists for reading evidence: places, given names, the words of typed things."""
