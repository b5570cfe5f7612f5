"""Functions that combine several packages below: build, compare, read."""
