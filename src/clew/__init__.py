"""clew: graph-based retrieval and grounded question answering over your own documents."""
