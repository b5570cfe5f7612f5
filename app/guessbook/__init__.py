"""Guessbook: precomputed, exact strategies for guessing games such as Mastermind and Wordle.

Users need only `import guessbook as gb`; the subpackages are for people who change Guessbook.

>>> import guessbook as gb
>>> book = gb.open("mastermind-4x6")
>>> book.hint(["RYGB=1,1", "RGOP=0,2"]).guess
'PYYG'
"""

# The underscores keep these modules out of the public names.
import os.path as _os_path

# A wheel has the whole package in one folder. In a clone, the package is split over four top-level
# folders. They are located relative to this file, so that no unrelated folder joins the package.
_here = _os_path.dirname(_os_path.abspath(__file__))  # noqa: PTH100, PTH120
if not _os_path.isdir(_os_path.join(_here, "book")):  # noqa: PTH112, PTH118
    _clone = _os_path.dirname(_os_path.dirname(_here))  # noqa: PTH120
    __path__ += [
        _os_path.join(_clone, _top, "guessbook")  # noqa: PTH118
        for _top in ("book", "builder", "lookup")
    ]

# Type checkers treat a variable with this name as True. Importing `typing` would take longer than
# the rest of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from guessbook import front, results
    from guessbook.front import *  # noqa: F403
    from guessbook.front import open_book as _open_book
    from guessbook.results import *  # noqa: F403

    open = _open_book
    __all__: list[str] = [*front.__all__, *results.__all__]
else:

    def __getattr__(name: str) -> object:
        """Look up a public name on demand, so that `import guessbook` itself loads nothing."""
        if name[0] != "_" or name == "__all__":
            import guessbook.front as front

            if name == "open":
                return front.open_book
            if name in front.__all__:
                return getattr(front, name)
            import guessbook.results as results

            if name == "__all__":
                return sorted([*front.__all__, *results.__all__])
            if name in results.__all__:
                return getattr(results, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        own = [name for name in globals() if name[0] == "_"]
        return sorted([*own, "open", *__getattr__("__all__")])


del TYPE_CHECKING
