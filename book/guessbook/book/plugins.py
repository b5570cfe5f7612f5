"""Plug-ins: extensions in other installed packages, found by name through entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from guessbook.book.errors import UsageError, printable, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Record = TypeVar("Record")


class Registry(Mapping[str, Record], Generic[Record]):
    """Records by name: Guessbook's own, then the records of other installed packages.

    A name of Guessbook's own never loads another package. Any other name loads the one entry point
    of that name, and nothing else of the group.

    Args:
        group: the group of entry points, such as `guessbook.policies`.
        what: the kind of record, for messages.
        built_in: Guessbook's own records.
        record: the class of a record.
        place: the field of a record that names its code, as `MODULE:NAME`.
        method: a method that this code must have.
    """

    def __init__(
        self,
        group: str,
        what: str,
        built_in: dict[str, Record],
        record: type[Record],
        place: str,
        method: str,
    ) -> None:
        self.group = group
        self.what = what
        self.built_in = built_in
        self._record = record
        self._place = place
        self._method = method

    def __getitem__(self, name: str) -> Record:
        if name in self.built_in:
            return self.built_in[name]
        return self._load(name, self._added()[name])

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self._added()

    def __iter__(self) -> Iterator[str]:
        return iter({**self.built_in, **self._added()})

    def __len__(self) -> int:
        return len(self.built_in.keys() | self._added().keys())

    def _added(self) -> dict[str, list[EntryPoint]]:
        return entry_points_of(self.group, tuple(sys.path))

    def _load(self, name: str, found: list[EntryPoint]) -> Record:
        """Load the record of an entry point. Raises UsageError, which names the package."""
        packages = " and ".join(
            sorted(printable(entry.dist.name if entry.dist else entry.value) for entry in found)
        )
        here = f"{self.what} {quote(name)} of the package {packages}"
        if len(found) > 1:
            raise UsageError(f"found {self.what} {quote(name)} in {packages}; uninstall one")
        try:
            record = found[0].load()
            right = isinstance(record, self._record)
            right = right and hasattr(load(getattr(record, self._place)), self._method)
        except Exception as error:
            reason = printable(f"{type(error).__name__}: {error}")
            raise UsageError(
                f"found {here}, which cannot be loaded: {reason}; update or uninstall the package"
            ) from error
        if not right:
            expected = f"{self._record.__module__}.{self._record.__name__}"
            raise UsageError(
                f"found {here}, which gives {quote(record)}, expected a {expected} whose "
                f"{self._place!r} names something with {self._method!r}; update or uninstall it"
            )
        return record  # type: ignore[no-any-return]


def load(name: str) -> Any:
    """Return what `MODULE:NAME` names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


@lru_cache(maxsize=16)
def entry_points_of(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group by name, in alphabetical order, without loading them.

    Results are cached by `path`, which is `sys.path`.
    """
    from importlib import metadata  # it takes longer to import than a hint takes

    found: dict[str, list[EntryPoint]] = {}
    for entry in metadata.entry_points(group=group):
        found.setdefault(entry.name, []).append(entry)
    return dict(sorted(found.items()))
