"""How providers speak over HTTP, one file each, for tests of whatever calls them."""
