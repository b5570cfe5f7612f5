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
    """The options that define a game."""

    preset: str | None = option(
        "NAME", "A preset (`guessbook presets` lists all), or a game such as mastermind-6x6."
    )
    pegs: int | None = option("N", "Positions of a code.  [default: 4]", min=1, max=MAX_PEGS)
    colors: int | None = option(
        "N",
        "Number of symbols.  [default: as in --symbols, else 6, or 10 if no repeats]",
        min=1,
        max=36,
    )
    no_repeats: bool = flag("--no-repeats", "No symbol occurs twice: Bulls and Cows, Bagels.")
    symbols: str | None = option(
        "SYMBOLS",
        "The symbols in the order that breaks ties: characters such as 123456, or names as in "
        "red,blue,star. A name is written as its first letter, or as W for white=W.  [default: the "
        f"first of {describe_symbols(USUAL)}, then other letters; digits if no repeats]",
    )
    blanks: bool = flag("--blanks", f"Allow empty positions: add the symbol {BLANK}, named blank.")
    answers: Path | None = option(
        "FILE",
        "Play with words: a UTF-8 file of secrets, one a line, optionally with weights: crane 5120.",
    )
    guesses: Path | None = option(
        "FILE",
        "The allowed guesses, in the order that breaks ties.  [default: the words of --answers]",
    )
    scoring: str | None = option(
        "RULE",
        "For words, if a letter occurs more often in the guess than in the secret: standard marks as many "
        "copies as the secret has, as in Wordle; loose marks all copies.  [default: standard]",
    )
    table: Path | None = option(
        "FILE",
        "Play any game: a CSV table of feedbacks with the secrets in its first row and the guesses "
        "in its first column, as `guessbook table` writes it.",
    )

    def game(self) -> Game:
        """Return the game that the options define, and print corrections of its word lists on stderr."""
        if self.preset is not None:
            return self._of_preset(self.preset)
        if self.table is not None:
            if self != GameOptions(table=self.table):
                raise UsageError(
                    f"found --table {self.table} and options of another game; leave out one of the games"
                )
            from guessbook.book.csv_table import read_table  # Other games do not need this import.

            return run_interruptibly("Reading the table", partial(read_table, self.table))
        if self.answers is None and self.guesses is None and self.scoring is None:
            return self._codes()
        if self != GameOptions(answers=self.answers, guesses=self.guesses, scoring=self.scoring):
            words = "options of a word game (--answers, --guesses, --scoring)"
            raise UsageError(
                f"found {words} and of a code game (such as --pegs); leave one kind out"
            )
        return self._words()

    def _of_preset(self, name: str) -> Game:
        if self != GameOptions(name, answers=self.answers, guesses=self.guesses):
            raise UsageError(
                f"found --preset {name} and options of another game; leave out one of the games"
            )
        if self.answers is None and self.guesses is None and is_game(name):
            if name in PRESETS and PRESETS[name].needs_words:
                raise UsageError(
                    f"found --preset {name} without words, expected a file of words; add --answers FILE"
                )
            return game_of(name)
        preset = preset_named(name)
        words = self._words()
        # Without --guesses the preset chooses the guesses.
        return preset.game(words.secrets, words.guesses if self.guesses else (), words.weights)

    def _words(self) -> WordGame:
        if self.answers is None:
            found = f"--guesses {self.guesses}" if self.guesses else f"--scoring {self.scoring}"
            raise UsageError(
                f"found {found} without --answers; add --answers FILE, a file with the secrets"
            )
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
            raise UsageError(f"found --symbols {quote(symbols)}, expected {expected}")
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
    """The options that define a policy."""

    # The help must not load other packages, so it lists only built-in policies. Errors list all policies.
    policy: str = option(
        "NAME", f"One of {', '.join(BUILT_IN)}; or a policy of other packages.", default="entropy"
    )
    base: str | None = option(
        "NAME",
        "For lookahead, rollout, optimal and win: the policy that ranks the guesses to try, one of entropy, "
        "expected, parts, minimax and entropy-corrected. In rollout it also plays the later guesses.  "
        "[default: entropy; entropy-corrected for lookahead]",
    )
    depth: int | None = _number(
        "depth", "For lookahead: number of steps to look ahead.  [default: 2]"
    )
    width: int | None = _number(
        "width",
        "For lookahead, rollout, optimal and win: try only the N guesses that --base ranks first. "
        "A larger N takes longer and mostly gives better books. With a width, optimal and win may miss the best "
        "strategy.  [default: 20; all for optimal and win]",
    )
    max_guesses: int | None = _number(
        "max_guesses",
        "For optimal: find every secret within N guesses, at the lowest mean.  [default: no limit]",
    )
    within: int | None = _number(
        "within", "Required for win: find the most secrets within N guesses."
    )
    endgame: int | None = _number(
        "endgame",
        "For rollout: with at most N candidates left, search for the best play to the end. "
        "A larger N takes longer and mostly gives better books.  [default: no search]",
    )
    random_seed: int | None = _number(
        "random_seed",
        "For consistent, which guesses at random: the seed. Equal seeds give equal books.  [default: 0]",
    )
    consistent_only: bool = flag(
        "--consistent-only",
        "Guess only codes that may still be the secret, although other guesses often give more "
        "information. Not for consistent and positional, which always guess such codes.",
    )
    hard_mode: bool = flag(
        "--hard-mode",
        "For words, as in Wordle's hard mode: every guess repeats the letters that are in place, "
        "and contains the letters that are known to be elsewhere. Not for consistent and positional.",
    )

    def policy_map(self) -> dict[str, str | int]:
        """Return the name and the options of the policy as a map, as in the header of a book."""
        options = asdict(self)
        return policy_map(options.pop("policy"), **options)


def policy_map(text: str, **options: object) -> dict[str, str | int]:
    """Return the name and the options of the policy that `text` and `options` state, as in the header of a book.

    Options that are None or False are ignored.

    >>> policy_map("rollout:first-guess=0012", width=5, base=None)
    {'name': 'rollout', 'base': 'entropy', 'width': 5, 'first_guess': '0012'}
    """
    try:
        found = merge(text, {o: value for o, value in options.items() if value is not False})
        known = header(policy_of(found))
    except UsageError as error:
        message = str(error)
        # Options have dashes on the command line, so the message must have dashes. Texts of the user stay as typed.
        for name in set(re.findall("[a-z]+(?:_[a-z]+)+", message)):
            if name not in text:
                message = message.replace(name, name.replace("_", "-"))
        raise UsageError(message) from error
    if "first_guess" in found:
        known["first_guess"] = str(found["first_guess"])
    return known
