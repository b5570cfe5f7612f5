"""Plug-ins: extensions of Guessbook that other installed packages register as entry points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from guessbook.book.errors import UsageError, did_you_mean, printable, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Record = TypeVar("Record")


class Registry(Mapping[str, Record], Generic[Record]):
    """A map from names to records, such as the classes of policies: built-in ones, then plug-ins.

    An unknown name raises UsageError.

    Args:
        group: the group of entry points for these records, such as `guessbook.policies`.
        what: the noun for a record in messages.
        built_in: the built-in names.
        load: a function that returns the record of a built-in name; it may import it.
        is_record: a function that returns whether a loaded object is a record.
        expected: the description of a record in messages, such as "a guessbook.Preset".
    """

    def __init__(
        self,
        group: str,
        what: str,
        built_in: Iterable[str],
        load: Callable[[str], Record],
        is_record: Callable[[object], bool],
        expected: str,
    ) -> None:
        self._group, self._what = group, what
        self.built_in, self._load_built_in = tuple(built_in), load
        self._is_record, self._expected = is_record, expected

    def __getitem__(self, name: str) -> Record:
        if name in self.built_in:
            return self._load_built_in(name)
        found = self._load_entry_points().get(name)
        if not found:
            near = did_you_mean(name, self)
            raise UsageError(
                f"unknown {self._what} {quote(name)}; use one of {', '.join(self)}{near}"
            )
        return self._load_plugin(name, found)

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self._load_entry_points()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.built_in, *self._load_entry_points()]))

    def __len__(self) -> int:
        return len({*self.built_in, *self._load_entry_points()})

    def _load_entry_points(self) -> dict[str, list[EntryPoint]]:
        return entry_points_of(self._group, tuple(sys.path))

    def _load_plugin(self, name: str, found: list[EntryPoint]) -> Record:
        """Return the record of an entry point.

        Raises UsageError for several entry points, or for an invalid record.
        """
        names = sorted(printable(entry.dist.name if entry.dist else entry.value) for entry in found)
        what = f"{self._what} {quote(name)}"
        if len(found) > 1:
            raise UsageError(f"{what} is in {' and '.join(names)}; uninstall one of them")
        what += f" of the package {names[0]}"
        try:
            record = found[0].load()
        except Exception as error:
            why = printable(f"{type(error).__name__}: {error}")
            raise UsageError(f"{what} cannot be loaded: {why}; update or uninstall it") from error
        if not self._is_record(record):
            raise UsageError(
                f"{what} is {quote(record)}, not {self._expected}; update or uninstall it"
            )
        return record  # type: ignore[no-any-return]


# `path` is `sys.path` as a tuple. It is a parameter only so that the cache is not used after
# `sys.path` has changed.
@lru_cache(maxsize=16)
def entry_points_of(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return a map from each name in a group to its entry points, in alphabetical order."""
    from importlib import metadata  # late import: it takes longer than computing a hint

    found: dict[str, list[EntryPoint]] = {}
    for entry in metadata.entry_points(group=group):
        found.setdefault(entry.name, []).append(entry)
    return dict(sorted(found.items()))
