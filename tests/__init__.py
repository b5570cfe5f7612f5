"""The tests. This file makes them a package, because the package spylls installs another one named `tests`."""
