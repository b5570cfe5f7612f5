"""Immutable values."""


class Frozen:
    """A value whose public attributes are set once, by its constructor.

    >>> class Point(Frozen):
    ...     def __init__(self, x):
    ...         self.x = x
    >>> point = Point(1)
    >>> point.x = 2
    Traceback (most recent call last):
    AttributeError: found a new x for a Point, which cannot be changed; make another one
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and hasattr(self, name):
            raise self._refusal(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise self._refusal(name)

    def _refusal(self, name: str) -> AttributeError:
        kind = type(self).__name__
        return AttributeError(
            f"found a new {name} for a {kind}, which cannot be changed; make another one"
        )
