"""What the front does with several packages below it: build, compare, read."""
