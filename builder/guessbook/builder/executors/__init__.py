"""Executors: the tasks of a build, and the threads or cluster workers that run them."""
