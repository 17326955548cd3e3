"""Models behind providers of all kinds: one file each, the SDK imported on use."""
