"""This file makes `tests` a package, because spylls installs another package of that name."""
