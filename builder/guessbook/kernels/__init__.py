"""The engine: guess search, partitions and optimal play in C, called without numpy."""
