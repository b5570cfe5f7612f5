"""The engine: guess search, partitions, optimal play and identification in C.

Its Python interface does not need numpy.
"""
