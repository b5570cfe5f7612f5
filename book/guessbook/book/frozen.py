"""Base class of immutable objects."""

from typing import NoReturn


class Frozen:
    """Base class of objects whose public attributes can be set only once, in the constructor."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and hasattr(self, name):
            self._refuse(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        found = f"found a change of {name} in a {type(self).__name__}"
        raise AttributeError(f"{found}, which is immutable; create another object")
