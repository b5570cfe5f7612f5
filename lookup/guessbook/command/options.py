"""The options that name a game or a policy, each group in a dataclass."""

import re
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from guessbook.book.errors import UsageError, quote
from guessbook.book.games.codes import COLORS, DIGITS, MAX_PEGS, Mastermind
from guessbook.book.games.game import Game
from guessbook.book.games.presets import PRESETS, game_of, is_game, preset_named
from guessbook.book.games.symbols import BLANK, PEGS, USUAL, describe_symbols, named_symbols
from guessbook.book.games.words import WordGame
from guessbook.command.arguments import flag, option
from guessbook.command.output import say
from guessbook.command.wordlists import load_game
from guessbook.lookup.interruptible import run_interruptibly
from guessbook.policy.notation import header, merge, policy_of
from guessbook.policy.registry import BUILT_IN, NUMBERS


def _number(name: str, help: str) -> Any:
    low, high = NUMBERS[name]
    return option("N", help, min=low, max=high)


@dataclass(frozen=True)
class GameOptions:
    """The options that name a game."""

    preset: str | None = option("NAME", "A game: one of `guessbook presets`, or mastermind-6x6.")
    pegs: int | None = option("N", "Positions of a code.  [default: 4]", min=1, max=MAX_PEGS)
    colors: int | None = option("N", "Symbols.  [default: those of --symbols; else 6, 10 if no repeats]", min=1, max=36)
    no_repeats: bool = flag("--no-repeats", "No symbol occurs twice: Bulls and Cows, Bagels.")
    symbols: str | None = option(
        "SYMBOLS",
        "The symbols in the order that breaks ties: characters such as 123456, or names as in "
        "red,blue,star; a name takes its first letter, or that of white=W.  [default: the "
        f"first of {describe_symbols(USUAL)}, then other letters; digits if no repeats]",
    )
    blanks: bool = flag("--blanks", f"A place may be empty: adds the symbol {BLANK}, named blank.")
    answers: Path | None = option(
        "FILE", "Play with words: a UTF-8 file of secrets, one a line, perhaps with weights: crane 5120."
    )
    guesses: Path | None = option(
        "FILE", "The allowed guesses, in the order that breaks ties.  [default: those of --answers]"
    )
    scoring: str | None = option(
        "RULE",
        "For words, if a guess has a letter more often than the secret: standard marks as many as "
        "the secret has, as in Wordle; loose marks all.  [default: standard]",
    )
    table: Path | None = option(
        "FILE",
        "Play any game: a CSV table of answers with the secrets in its first row and the guesses "
        "in its first column, as `guessbook table` writes it.",
    )

    def game(self) -> Game:
        """Return the game, and report corrections of its word lists on stderr."""
        if self.preset is not None:
            return self._of_preset(self.preset)
        if self.table is not None:
            if self != GameOptions(table=self.table):
                raise UsageError("found --table and options of another game, expected one game")
            from guessbook.book.csv_table import read_table  # late, as other games do without

            return run_interruptibly("Reading the table", partial(read_table, self.table))
        if self.answers is None and self.guesses is None and self.scoring is None:
            return self._codes()
        if self != GameOptions(answers=self.answers, guesses=self.guesses, scoring=self.scoring):
            raise UsageError("found --answers and options such as --pegs, expected words or codes")
        return self._words()

    def _of_preset(self, name: str) -> Game:
        if self != GameOptions(name, answers=self.answers, guesses=self.guesses):
            raise UsageError(f"found --preset {name} and other options, expected one game")
        if self.answers is None and self.guesses is None and is_game(name):
            if name in PRESETS and PRESETS[name].needs_words:
                raise UsageError(f"the preset {name} needs --answers FILE with its words")
            return game_of(name)
        preset = preset_named(name)
        words = self._words()
        # Without --guesses the preset chooses the guesses.
        return preset.game(words.secrets, words.guesses if self.guesses else (), words.weights)

    def _words(self) -> WordGame:
        if self.answers is None:
            raise UsageError("--guesses and --scoring are for words; name them with --answers")
        game, notes = load_game(self.answers, self.guesses, self.scoring or "standard")
        for note in notes:
            say(note)
        return game

    def _codes(self) -> Mastermind:
        symbols: str | None = self.symbols
        names: tuple[str, ...] = ()
        if symbols and "," in symbols:
            symbols, names = named_symbols(symbols)
        elif symbols and (" " in symbols or len({*symbols}) < len(symbols)):
            expected = "different characters such as 123456, or names with commas such as red,blue"
            raise UsageError(f"found symbols {quote(symbols)}, expected {expected}")
        colors = self.colors
        if colors is None:
            colors = len(symbols) if symbols else 10 if self.no_repeats else 6
        if self.blanks:
            symbols = (symbols or (DIGITS if self.no_repeats else COLORS)[:colors]) + BLANK
            names = names and (*names, PEGS[BLANK].name)
            colors += 1
        pegs = 4 if self.pegs is None else self.pegs
        return Mastermind(pegs, colors, not self.no_repeats, symbols, names)


@dataclass(frozen=True)
class PolicyOptions:
    """The options that name a policy."""

    # Policies of other packages appear in error messages only: the help must not load packages.
    policy: str = option("NAME", f"One of {', '.join(BUILT_IN)}; or one of an installed package.", default="entropy")
    base: str | None = option(
        "NAME",
        "For lookahead, rollout, optimal and win: the policy that orders the guesses they try, and "
        "by which rollout plays on: entropy, expected, parts, minimax or entropy-corrected.  "
        "[default: entropy; entropy-corrected for lookahead]",
    )
    depth: int | None = _number("depth", "How many steps lookahead looks ahead.  [default: 2]")
    width: int | None = _number(
        "width",
        "For lookahead, rollout, optimal and win: try only the N guesses that --base puts first. "
        "More take longer and are mostly better. With a width optimal and win may miss the best "
        "strategy.  [default: 20; all for optimal and win]",
    )
    max_guesses: int | None = _number(
        "max_guesses", "For optimal: find every secret within N guesses, at the lowest mean.  [default: no limit]"
    )
    within: int | None = _number("within", "Required for win: find the most secrets in N guesses.")
    endgame: int | None = _number(
        "endgame",
        "For rollout: with at most N candidates left, search for the best play to the end. "
        "More take longer and are mostly better.  [default: no search]",
    )
    random_seed: int | None = _number(
        "random_seed", "For consistent, which draws guesses: the same number makes the same book.  [default: 0]"
    )
    consistent_only: bool = flag(
        "--consistent-only",
        "Never guess a code that the answers so far rule out as the secret, although such "
        "guesses often tell more. Not for consistent and positional, which never do.",
    )
    hard_mode: bool = flag(
        "--hard-mode",
        "For words, as in Wordle's hard mode: every guess keeps the letters that are in place "
        "and has those that are known to be elsewhere. Not for consistent and positional.",
    )

    def described(self) -> dict[str, str | int]:
        """Return the policy as the header of a book has it."""
        options = asdict(self)
        return described(options.pop("policy"), **options)


def described(text: str, **options: object) -> dict[str, str | int]:
    """Return the policy in a text as the header of a book has it; `first_guess` stays as given.

    The text is `NAME`, `NAME:OPTION=VALUE,...`, or a policy as it is printed. Further options that
    are None or False count as not given.

    >>> described("rollout:first-guess=0012", width=5, base=None)
    {'name': 'rollout', 'base': 'entropy', 'width': 5, 'first_guess': '0012'}
    """
    try:
        found = merge(text, {o: value for o, value in options.items() if value is not False})
        known = header(policy_of(found))
    except UsageError as error:
        message = str(error)
        # A command writes the names of options with dashes. Names that were typed stay.
        for name in set(re.findall("[a-z]+(?:_[a-z]+)+", message)):
            if name not in text:
                message = message.replace(name, name.replace("_", "-"))
        raise UsageError(message) from error
    if "first_guess" in found:
        known["first_guess"] = str(found["first_guess"])
    return known
