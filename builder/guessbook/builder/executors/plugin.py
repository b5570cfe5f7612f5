"""The plugin that stores the context of a build on each worker of a Dask cluster."""

from threading import Lock
from typing import Any

from distributed import WorkerPlugin

from guessbook.builder.executors.context import Context


class ContextPlugin(WorkerPlugin):
    """Makes a copy of a context when the first task needs it, which may take seconds.

    Dask gives each worker a copy of the plugin, also workers that join later. The context cannot be
    the result of a task: Dask stores one copy of a result in the whole cluster.
    """

    def __init__(self, context: Context) -> None:
        self._make, self._arguments = context.__reduce__()

    def setup(self, worker: Any) -> None:
        """Prepare a worker."""
        self._lock, self._made = Lock(), list[Context]()

    def context(self) -> Context:
        """Return the context of this worker."""
        with self._lock:
            if not self._made:
                self._made.append(self._make(*self._arguments))
            return self._made[0]
