"""Kernels: what numba compiles."""
