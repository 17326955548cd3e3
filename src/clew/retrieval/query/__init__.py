"""The question as retrieval reads it: its vector, its words with their weights, its names."""
