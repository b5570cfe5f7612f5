"""The rule of Wordle's hard mode: each guess must use the letters found so far."""

from guessbook.book.games.game import Game, History


def broken_hint(game: Game, word: str, history: History) -> str:
    """Return the rule of Wordle's hard mode that a word breaks, as text.

    Return "" if the word is allowed.

    >>> from guessbook.book.games.words import WordGame
    >>> from guessbook.book.games.game import parse_history
    >>> game = WordGame(["light", "eight", "geese"])
    >>> history = parse_history(game, "eight=02222 geese=01000")
    >>> broken_hint(game, "tight", history), broken_hint(game, "geese", history)
    ("it needs the letter 'e'", "letter 2 has to be 'i'")
    """
    for guess, feedback in history:
        marks = game.format_feedback(feedback)
        pairs = list(zip(game.guesses[guess], marks, strict=True))
        for place, (letter, mark) in enumerate(pairs):
            if mark == "2" and word[place] != letter:
                return f"letter {place + 1} has to be {letter!r}"
        shown = [letter for letter, mark in pairs if mark != "0"]
        for letter in shown:
            times = shown.count(letter)
            if word.count(letter) < times:
                return f"it needs the letter {letter!r}{f' {times} times' * (times > 1)}"
    return ""
