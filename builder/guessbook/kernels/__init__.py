"""The engine: guess search, partitions and optimal play in C, without numpy."""
