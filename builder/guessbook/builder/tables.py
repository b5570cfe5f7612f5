"""Feedbacks, entropies and candidates of any game as numpy arrays, for your own experiments.

Guesses are indices in `game.guesses`, secrets are indices in `game.secrets`. `format_feedback` of a
game formats a feedback number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from guessbook.book.errors import UsageError
from guessbook.book.games.game import Game, read_history, require_guesses
from guessbook.book.games.presets import game_of
from guessbook.policy.policy import policy_named

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[Any]]
    Table = np.ndarray[tuple[int, int], np.dtype[Any]]


# At most this number of feedbacks, or of counts of feedbacks, is computed at once, to limit memory.
BLOCK = 1 << 22


def feedback_table(game: Game | str, guesses: object = None, secrets: object = None) -> Table:
    """Return the feedback number of each given secret to each given guess.

    >>> from guessbook.book.games.codes import Mastermind
    >>> feedback_table(Mastermind(2, 2)).tolist()
    [[8, 4, 4, 0], [4, 8, 6, 4], [4, 6, 8, 4], [0, 4, 4, 8]]

    Args:
        game: the game, or its name.
        guesses: indices in `game.guesses` (a sequence or an array of integers), or a mask
            bool[len(game.guesses)]; None for all guesses.
        secrets: indices in `game.secrets`, or a mask bool[len(game.secrets)]; None for all secrets.

    Returns:
        A numpy array [guesses, secrets] of feedback numbers: uint8 if the game has at most 256 feedbacks, as code
            games and words of up to 5 letters have, else uint16 or uint32. As uint8, 12,972 guesses
            and 2,315 secrets take 30 MB.

    Raises:
        IndexError: an index is out of range.
        UsageError: an argument is neither integers nor a mask of the right length, or the tests of
            the game name no secret.
    """
    game = game_of(game)
    import numpy as np

    rows = _indices(guesses, len(game.guesses))
    columns = _indices(secrets, len(game.secrets))
    table = np.empty((len(rows), len(columns)), np.min_scalar_type(game.feedbacks - 1))
    for start, block in _blocks(game, rows, columns):
        table[start : start + len(block)] = block
    return table


def entropies(game: Game | str, candidates: object = None) -> Numbers:
    """Return the entropy of every guess: the expected information of its feedback, in bits.

    The entropy is -sum p*log2(p) over the cells of the guess (Shannon 1948); p is the weight of a
    cell divided by the weight of all candidates. Entropies that are equal in theory may differ in
    the last digits.

    >>> from guessbook.book.games.codes import Mastermind
    >>> entropies(Mastermind(2, 2)).tolist()
    [1.5, 1.5, 1.5, 1.5]

    Args:
        game: the game, or its name.
        candidates: at least one index in `game.secrets`, or a mask bool[len(game.secrets)]; None
            for all secrets.

    Returns:
        A numpy array float64[guesses], in bits.

    Raises:
        IndexError: an index is out of range.
        UsageError: `candidates` is neither integers nor a mask of the right length, or the tests of
            the game name no secret.
        ValueError: there are no candidates.
    """
    game = game_of(game)
    import numpy as np

    columns = _indices(candidates, len(game.secrets))
    if not len(columns):
        raise ValueError("there are no candidates; give at least one")
    # Imported here because the module loads numpy.
    from guessbook.builder.arrays import weight_table

    counted = weight_table(game)[columns]
    bits = np.empty(len(game.guesses))
    for start, block in _blocks(game, np.arange(len(bits)), columns):
        owner = np.arange(len(block))[:, None] * game.feedbacks
        cells = (block + owner).ravel()
        weights = np.bincount(cells, np.tile(counted, len(block)), len(block) * game.feedbacks)
        shares = weights[weights > 0] / counted.sum()
        owner = np.flatnonzero(weights) // game.feedbacks
        bits[start : start + len(block)] = np.bincount(owner, -shares * np.log2(shares))
    # Adding 0.0 turns -0.0, the entropy of a guess with one cell, into 0.0.
    return bits + 0.0


def fitting(game: Game | str, history: object = ()) -> Numbers:
    """Return the candidates after a history, as indices of secrets.

    >>> from guessbook.book.games.codes import Mastermind
    >>> game = Mastermind(4, 6)
    >>> [game.secrets[s] for s in fitting(game, ["RYGB=1,1", "RGOP=0,2", "PYYG=2,1"])]
    ['GYYO', 'GYPG', 'PYRY']

    Args:
        game: the game, or its name.
        history: (guess, feedback) pairs, or strings GUESS=FEEDBACK, in any notation of the game.

    Returns:
        A numpy array (uint32) of ascending indices in `game.secrets`; empty if no secret fits.

    Raises:
        InvalidCodeError, InvalidFeedbackError: a guess or a feedback of the history does not belong
            to this game.
    """
    game = game_of(game)
    import numpy as np

    left = np.arange(len(game.secrets), dtype=np.uint32)
    known, pairs = read_history(game, history)
    for guess, feedback in pairs:
        left = left[feedback_table(known, [guess], left)[0] == feedback]
    return left


def _blocks(game: Game, rows: Numbers, columns: Numbers) -> Iterator[tuple[int, Table]]:
    """Yield the table of feedbacks in blocks: the index of the first row, and the rows."""
    require_guesses(game, "an array of feedbacks")
    # Imported here because the module loads numpy.
    from guessbook.builder.games import scorer_of

    scorer = scorer_of(game, policy_named("entropy"))
    height = max(1, BLOCK // max(len(columns), game.feedbacks))
    for start in range(0, len(rows), height):
        yield start, scorer.table(rows[start : start + height], columns)


def _indices(given: object, size: int) -> Numbers:
    """Convert integers or a mask to indices below `size` (uint32); None stands for all."""
    import numpy as np

    if given is None:
        return np.arange(size, dtype=np.uint32)
    found = np.asarray(given).reshape(-1)
    if found.dtype == bool and len(found) == size:
        return np.flatnonzero(found).astype(np.uint32)
    # numpy converts an empty list to an array of floats, so an empty array of floats is allowed.
    if found.dtype == bool or (len(found) and not np.issubdtype(found.dtype, np.integer)):
        raise UsageError(
            f"an array {found.dtype}[{len(found)}] does not name codes; give integers or bool[{size}]"
        )
    indices = found.astype(np.int64)
    wrong = indices[(indices < 0) | (indices >= size)]
    if len(wrong):
        raise IndexError(f"index {wrong[0]} is out of range; give 0 to {size - 1}")
    return indices.astype(np.uint32)
