"""Options that travel as one value: which game, which policy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from guessbook.book.errors import UsageError
from guessbook.book.games.codes import MAX_PEGS, Mastermind
from guessbook.book.games.game import Game
from guessbook.book.games.presets import PRESETS, game_of, is_game, preset_named
from guessbook.book.games.words import WordGame
from guessbook.command.arguments import flag, option
from guessbook.command.output import say
from guessbook.command.wordlists import load_game
from guessbook.lookup.patience import patiently
from guessbook.policy.notation import header, merged, policy_of
from guessbook.policy.registry import BUILT_IN, NUMBERS


def _number(name: str, help: str) -> Any:
    """The option of that name, whose limits are those of the policy's number."""
    low, high = NUMBERS[name]
    return option("N", help, min=low, max=high)


@dataclass(frozen=True)
class GameOptions:
    """The options that say which game."""

    preset: Annotated[
        str | None,
        option(
            "NAME", "A game by name, such as bagels, see `guessbook presets`, or mastermind-6x6."
        ),
    ] = None
    pegs: Annotated[
        int | None, option("N", "Positions of a code.  [default: 4]", min=1, max=MAX_PEGS)
    ] = None
    colors: Annotated[
        int | None,
        option(
            "N",
            "Symbols to choose from.  [default: those of --symbols; else 6, 10 if no repeats]",
            min=1,
            max=36,
        ),
    ] = None
    no_repeats: Annotated[
        bool, flag("--no-repeats", "No symbol occurs twice in a code: Bulls and Cows, Bagels.")
    ] = False
    symbols: Annotated[
        str | None,
        option("SYMBOLS", "The symbols, one character each, in the order that breaks ties."),
    ] = None
    answers: Annotated[
        Path | None,
        option(
            "FILE", "Play with words: those that may be the secret, one a line; see docs/words.md."
        ),
    ] = None
    guesses: Annotated[
        Path | None,
        option(
            "FILE",
            "The words that may be guessed, in the order that breaks ties.  "
            "[default: those of --answers]",
        ),
    ] = None
    scoring: Annotated[
        str | None,
        option(
            "RULE",
            "standard: each letter of the secret answers once; loose: as often as it is "
            "asked for.  [default: standard]",
        ),
    ] = None
    table: Annotated[
        Path | None,
        option(
            "FILE",
            "Play any game: a table of answers as CSV, the secrets in its first row and the "
            "guesses in its first column; see docs/tables.md.",
        ),
    ] = None

    def game(self) -> Game:
        """The game; what had to be done to its lists of words is said on stderr.

        Raises:
            UsageError: the options contradict each other, or make no game.
        """
        if self.preset is not None:
            if self != GameOptions(self.preset, answers=self.answers, guesses=self.guesses):
                raise UsageError(
                    f"found --preset {self.preset} and options of another game, expected one game"
                )
            if self.answers is None and self.guesses is None and is_game(self.preset):
                if self.preset in PRESETS and not PRESETS[self.preset].secrets:
                    raise UsageError(
                        f"the preset {self.preset} needs --answers FILE with its words"
                    )
                return game_of(self.preset)
            preset = preset_named(self.preset)
            words = self._words()
            return preset.game(words.secrets, words.guesses, words.weights)
        if self.table is not None:
            if self != GameOptions(table=self.table):
                raise UsageError("found --table and options of another game, expected one game")
            from guessbook.book.sheet import read_table  # late, as other games do without

            return patiently("Reading the table", partial(read_table, self.table))
        if self.answers is None and self.guesses is None and self.scoring is None:
            return self._codes()
        if self != GameOptions(answers=self.answers, guesses=self.guesses, scoring=self.scoring):
            raise UsageError(
                "found --answers and --pegs, --colors, --no-repeats or --symbols, "
                "expected words or codes, not both"
            )
        return self._words()

    def _words(self) -> WordGame:
        if self.answers is None:
            raise UsageError("--guesses and --scoring are for words; name them with --answers")
        game, notes = load_game(self.answers, self.guesses, self.scoring or "standard")
        for note in notes:
            say(note)
        return game

    def _codes(self) -> Mastermind:
        colors = self.colors
        if colors is None:
            colors = len(self.symbols) if self.symbols else 10 if self.no_repeats else 6
        pegs = 4 if self.pegs is None else self.pegs
        return Mastermind(pegs, colors, not self.no_repeats, self.symbols)


@dataclass(frozen=True)
class PolicyOptions:
    """The options that say which policy."""

    # Those of other packages are known to messages alone: the help needs no other package.
    policy: Annotated[
        str, option("NAME", f"One of {', '.join(BUILT_IN)}; or one of an installed package.")
    ] = "entropy"
    base: Annotated[
        str | None,
        option(
            "NAME",
            "The one-step policy that lookahead or rollout builds on, and that ranks guesses "
            "for optimal and win.  [default: entropy; entropy-corrected for lookahead]",
        ),
    ] = None
    depth: Annotated[
        int | None, _number("depth", "How many steps lookahead looks ahead.  [default: 2]")
    ] = None
    width: Annotated[
        int | None,
        _number(
            "width",
            "How many guesses lookahead, rollout, optimal or win tries.  [default: 20; all for "
            "optimal and win, which prove nothing with a width]",
        ),
    ] = None
    max_guesses: Annotated[
        int | None,
        _number(
            "max_guesses",
            "Take the best of the strategies that never need more guesses; of optimal.",
        ),
    ] = None
    within: Annotated[
        int | None,
        _number("within", "Find the most secrets within N guesses; of win, which needs it."),
    ] = None
    endgame: Annotated[
        int | None,
        _number("endgame", "Play nodes of at most so many candidates optimally; of rollout."),
    ] = None
    random_seed: Annotated[
        int | None,
        _number("random_seed", "What the guesses of consistent are drawn from.  [default: 0]"),
    ] = None
    consistent_only: Annotated[
        bool,
        flag(
            "--consistent-only",
            "Guess only what may be the secret; of one-step policies, lookahead, rollout, optimal "
            "and win.",
        ),
    ] = False
    hard_mode: Annotated[
        bool,
        flag("--hard-mode", "Guess words only as Wordle's hard mode allows; of the same policies."),
    ] = False

    def described(self) -> dict[str, str | int]:
        """The policy, as the header of a book has it.

        Raises:
            UsageError: there is no such policy, or the options are not its own.
        """
        options = asdict(self)
        return described(options.pop("policy"), **options)


def described(text: str, **options: object) -> dict[str, str | int]:
    """The policy, as the header of a book has it, that `NAME` or `NAME:OPTION=VALUE,...` asks for.

    >>> described("rollout:base=parts", width=5, base=None)
    {'name': 'rollout', 'base': 'parts', 'width': 5}
    >>> described("parts:first-guess=0012")
    {'name': 'parts', 'first_guess': '0012'}

    So is the form in which a policy is printed:

    >>> described("rollout (base parts, width 5)")
    {'name': 'rollout', 'base': 'parts', 'width': 5}

    Args:
        text: the name, and perhaps options.
        options: further ones; those that are None or False count as left out.

    Returns:
        What `build_strategy` takes. The first guess, if it is there, is the text as it was given.

    Raises:
        UsageError: there is no such policy, or no such option, or one is given twice.
    """
    found = merged(text, {o: value for o, value in options.items() if value is not False})
    known = header(policy_of(found))
    if "first_guess" in found:
        known["first_guess"] = str(found["first_guess"])
    return known
