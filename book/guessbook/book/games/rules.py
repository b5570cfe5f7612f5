"""Functions that make well-known games: Primel, Mini Nerdle, Mastermind without white pegs, Jotto and coins."""

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from string import ascii_uppercase

from guessbook.book.errors import InvalidGameError, quote
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.tables import TableGame
from guessbook.book.games.vocabulary import check_words
from guessbook.book.games.words import WordGame

# With 16 coins there would be 2,598,313 weighings, but a game may have at most 1,000,000 guesses.
MAX_COINS = 15


def primel() -> WordGame:
    """Return Primel: Wordle with the primes of five digits."""
    composite = set().union(*(range(n * n, 100_000, n) for n in range(2, 317)))
    return WordGame([str(n) for n in range(10_000, 100_000) if n not in composite])


def nerdle_mini() -> WordGame:
    """Return Mini Nerdle: Wordle with equations of six characters and one operator, + - * or /.

    >>> len(nerdle_mini().secrets), nerdle_mini().secrets[:3]
    (206, ('1+9=10', '10-1=9', '10-2=8'))
    """
    found = set()
    for a in range(1, 100):
        for b in range(1, 100):
            results = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}
            for sign, c in results.items():
                if c == int(c) and c > 0:
                    found.add(f"{a}{sign}{b}={int(c)}")
    return WordGame(sorted(text for text in found if len(text) == 6))


def black_peg(pegs: int = 4, colors: int = 6) -> TableGame:
    """Return Mastermind without white pegs: the answer is the number of symbols in the right position."""
    codes = Mastermind(pegs, colors).guesses
    rows = ([sum(map(str.__eq__, guess, secret)) for secret in codes] for guess in codes)
    return TableGame(codes, codes, rows)


def jotto(
    secrets: Iterable[str], guesses: Iterable[str] = (), weights: Sequence[int] | None = None
) -> TableGame:
    """Return Jotto: the answer is the number of letters that guess and secret share, or "found" for equal words.

    Without `guesses`, only secrets may be guessed.

    >>> jotto(["geese", "eagle", "table"]).feedback("geese", "eagle")
    '3'
    """
    secrets = list(check_words(secrets))
    asked = list(check_words(guesses)) or secrets
    if not secrets:
        raise InvalidGameError("found no words, expected at least one that may be the secret")
    for word in (*secrets, *asked):
        if not isinstance(word, str):
            raise InvalidGameError(f"found {quote(word)}, expected a word as text")
    letters = sorted(set().union(*secrets, *asked))
    most = max(map(len, {*secrets, *asked}))
    # The mask of a word has a bit for the first occurrence of a letter, another bit for the second, and so on. The
    # number of letters that two words share is the number of bits that their masks share.
    sets = {word: _letter_bits(word, letters, most) for word in {*secrets, *asked}}
    wanted = [sets[word] for word in secrets]
    rows = (
        [
            "found" if guess == secret else (sets[guess] & held).bit_count()
            for secret, held in zip(secrets, wanted, strict=True)
        ]
        for guess in asked
    )
    return TableGame(asked, secrets, rows, weights)


def _letter_bits(word: str, letters: Sequence[str], most: int) -> int:
    """Return a bit mask with `most` bits per letter; n occurrences of a letter set the lowest n bits of the letter."""
    runs = [(letters.index(letter), len(list(same))) for letter, same in groupby(sorted(word))]
    return sum(((1 << count) - 1) << (place * most) for place, count in runs)


def coins(number: int = 12) -> TableGame:
    """Return the game of the false coin: one of 3 to 15 coins is too heavy or too light.

    A guess is a weighing, such as `AB : CD`. Its answer is the heavier side, "left" or "right", or "balanced".

    >>> coins(3).guesses[:3], coins(3).secrets[:2]
    (('A : B', 'A : C', 'B : C'), ('A heavy', 'A light'))
    """
    if type(number) is not int or not 3 <= number <= MAX_COINS:
        raise InvalidGameError(
            f"found {quote(number)} coins, expected 3 to {MAX_COINS}; fewer have no solution, and "
            "more have too many weighings"
        )
    names = ascii_uppercase[:number]
    secrets = [(coin, weight) for coin in names for weight in ("heavy", "light")]
    weighings = [
        (left, right)
        for count in range(1, number // 2 + 1)
        for left in combinations(names, count)
        for right in combinations([coin for coin in names if coin not in left], count)
        if left[0] < right[0]
    ]
    rows = ([_tips(left, right, *secret) for secret in secrets] for left, right in weighings)
    labels = [f"{''.join(left)} : {''.join(right)}" for left, right in weighings]
    return TableGame(labels, [" ".join(secret) for secret in secrets], rows)


def _tips(left: Sequence[str], right: Sequence[str], coin: str, weight: str) -> str:
    if coin not in left and coin not in right:
        return "balanced"
    return "left" if (coin in left) == (weight == "heavy") else "right"
