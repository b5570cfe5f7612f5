"""Executors: what runs the tasks of a build, and keeps what they have finished."""
