"""The engine: guess search, partitions and optimal play in C.

Its Python interface does not need numpy.
"""
