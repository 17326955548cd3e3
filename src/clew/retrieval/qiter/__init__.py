"""Q-Iter: query-driven iterative retrieval over paths (Clue-RAG, arXiv 2507.08445)."""
