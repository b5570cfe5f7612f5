"""A contract type of import-linter, in a module that also imports guessbook.

`guessbook/__init__.py` adds the other portions to the path of the package. import-linter uses this
path only if the package is already imported.
"""

from importlinter.contracts.layers import LayersContract

import guessbook

__all__ = ["LayersContract", "guessbook"]
