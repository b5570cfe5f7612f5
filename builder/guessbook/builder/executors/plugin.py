"""A Dask plugin that stores the context of a build on each worker of a cluster."""

from threading import Lock
from typing import Any

from distributed import WorkerPlugin

from guessbook.builder.executors.context import Context


class ContextPlugin(WorkerPlugin):
    """A Dask plugin: on each worker it creates a copy of a context for the worker's tasks."""

    def __init__(self, context: Context) -> None:
        self._make, self._arguments = context.__reduce__()

    def setup(self, worker: Any) -> None:
        """Prepare a worker without creating its context yet; Dask calls this when the plugin arrives."""
        # The context may take seconds to create, so the worker's first task creates it.
        self._lock, self._made = Lock(), list[Context]()

    def context(self) -> Context:
        """Return the context of this worker; the first call creates it."""
        with self._lock:
            if not self._made:
                self._made.append(self._make(*self._arguments))
            return self._made[0]
