"""The type of contract that import-linter loads from here: it then finds all portions of guessbook.

The front, `guessbook/__init__.py`, extends its path when it is imported, and import-linter looks at
the path of what is imported already.
"""

from importlinter.contracts.layers import LayersContract

import guessbook

__all__ = ["LayersContract", "guessbook"]
