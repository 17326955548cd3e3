"""Doors to other people's frameworks and clouds. Each needs an extra, imported on use."""
