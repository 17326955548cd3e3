"""A store as files that others read, and back: JSON Lines, GraphML, Parquet, networkx, pandas."""
