"""Source texts read for where their parts begin: JSON, HTML, programming languages."""
