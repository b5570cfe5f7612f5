"""Executors: they run the tasks of a build, and store the results."""
