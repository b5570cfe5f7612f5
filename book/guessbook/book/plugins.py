"""Plug-ins: extensions of Guessbook that other installed packages register as entry points."""

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
    """Map from names to records: the built-in records, then the records that other installed packages register.

    A record describes an extension, such as a policy.

    Args:
        group: the group of entry points for these records, such as `guessbook.policies`.
        what: the noun for a record in messages.
        built_in: the records of Guessbook itself.
        record: the class of the records.
        place: the field of a record that names the code of the extension, as `MODULE:NAME`.
        method: an attribute that this code must have.
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
        self._group, self._what, self.built_in = group, what, built_in
        self._record, self._place, self._method = record, place, method

    def __getitem__(self, name: str) -> Record:
        if name in self.built_in:
            return self.built_in[name]
        return self._load(name, self._load_entry_points()[name])

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self._load_entry_points()

    def __iter__(self) -> Iterator[str]:
        return iter({**self.built_in, **self._load_entry_points()})

    def __len__(self) -> int:
        return len(self.built_in.keys() | self._load_entry_points().keys())

    def _load_entry_points(self) -> dict[str, list[EntryPoint]]:
        return entry_points_of(self._group, tuple(sys.path))

    def _load(self, name: str, found: list[EntryPoint]) -> Record:
        """Return the record of the only entry point in `found`. Raises UsageError for several, or an invalid record."""
        names = sorted(printable(entry.dist.name if entry.dist else entry.value) for entry in found)
        what = f"found {self._what} {quote(name)}"
        if len(found) > 1:
            raise UsageError(f"{what} in {' and '.join(names)}; uninstall one of them")
        what += f" of the package {names[0]}"
        try:
            record = found[0].load()
            right = isinstance(record, self._record)
            right = right and hasattr(load(getattr(record, self._place)), self._method)
        except Exception as error:
            why = f"it cannot be loaded: {printable(f'{type(error).__name__}: {error}')}"
            raise UsageError(f"{what}: {why}; update or uninstall it") from error
        if not right:
            kind = f"{self._record.__module__}.{self._record.__name__}"
            expected = (
                f"expected a {kind}; its {self._place!r} must name an object with {self._method!r}"
            )
            gives = f"which provides {quote(record)}"
            raise UsageError(f"{what}, {gives}, {expected}; update or uninstall it")
        return record  # type: ignore[no-any-return]


def load(name: str) -> Any:
    """Import and return the object that a text `MODULE:NAME` names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


# `path` is `sys.path` as a tuple. It is a parameter only for the cache: a new value of `sys.path` is searched anew.
@lru_cache(maxsize=16)
def entry_points_of(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return a map from each name in a group, in alphabetical order, to the entry points with this name."""
    from importlib import metadata  # late import: it takes longer than computing a hint

    found: dict[str, list[EntryPoint]] = {}
    for entry in metadata.entry_points(group=group):
        found.setdefault(entry.name, []).append(entry)
    return dict(sorted(found.items()))
