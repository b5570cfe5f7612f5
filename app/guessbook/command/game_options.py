"""The options that define a game or a policy, and the word lists that they name."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from guessbook.book.errors import InvalidGameError, UsageError, printable, quantity, quote
from guessbook.book.games.codes import (
    BLANK,
    COLORS,
    DIGITS,
    MAX_PEGS,
    PEGS,
    USUAL,
    Mastermind,
    describe_symbols,
    named_symbols,
)
from guessbook.book.games.dictionary import fields, lines_of
from guessbook.book.games.game import Game
from guessbook.book.games.presets import PRESETS, game_of, is_game
from guessbook.book.games.tables import TableGame
from guessbook.book.games.weights import Weight, exact
from guessbook.book.games.words import WordGame, WordList, weigh_words
from guessbook.command.options import flag, option
from guessbook.command.output import say
from guessbook.play.terminal.interruptible import run_interruptibly
from guessbook.policy.policy import NUMBERS
from guessbook.policy.registry import CLASSES, header, merge, policy_of

# The options of `read_table`.
OF_TABLES = ("things", "outcome", "weight", "cost", "goal", "merge_equal", "sheet")


def _number(name: str, help: str) -> Any:
    low, high = NUMBERS[name]
    return option("N", help, min=low, max=high)


@dataclass(frozen=True)
class GameOptions:
    """A game as given on the command line: a preset, or the rules of codes, words or a table."""

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
        "red,blue,star. A name is written as its first letter (black as K, brown as N), or as W for white=W.  [default: the "
        f"first of {describe_symbols(USUAL)}, then other letters; digits if no repeats]",
    )
    blanks: bool = flag("--blanks", f"Allow empty positions: add the symbol {BLANK}, named blank.")
    answers: Path | None = option(
        "FILE",
        "Play with words: a UTF-8 file of secrets, one per line, optionally with weights: crane 5120.",
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
        "Play any game: a table of answers (CSV, or a workbook), with things (secrets) in rows or in "
        "columns, and tests (guesses) in the other direction.",
    )
    attributes: Path | None = option(
        "FILE",
        "Guess things by their attributes: a table with a thing in each row. The feedback to a guess says "
        "for each column whether the secret is equal, partly equal, higher, lower or different.",
    )
    things: str | None = option(
        "WHERE",
        "For --table: where the things are, rows or columns.  [default: inferred from the table]",
    )
    outcome: str | None = option(
        "NAME",
        "For --table: the row or column with the outcome of each thing, or none.  [default: the one with the "
        "label outcome]",
    )
    weight: str | None = option(
        "NAME",
        "For --table: the row or column with the weight of each thing, or none.  [default: the one with the "
        "label weight]",
    )
    cost: str | None = option(
        "NAME",
        "For --table: the row or column with the cost of each test, or none.  [default: the one with the label "
        "cost]",
    )
    goal: str | None = option(
        "GOAL",
        "For --table: identify the outcome by tests, or name the secret by a guess.  [default: name if a guess "
        "has the label of a secret, and there are neither outcomes nor costs]",
    )
    merge_equal: bool = flag(
        "--merge-equal",
        "For --table: if things with equal answers have different outcomes, treat these as one outcome.",
    )
    sheet: str | None = option(
        "NAME", "For --table and --attributes: the sheet of a workbook.  [default: the first]"
    )

    def typed(self, *besides: str) -> str:
        """Return the first option given, as on the command line, such as `--pegs 3`, or "".

        The options `besides` are skipped.
        """
        for name, value in vars(self).items():
            if name not in besides and value is not None and value is not False:
                return f"--{name.replace('_', '-')}" + f" {printable(value)}" * (value is not True)
        return ""

    def game(self) -> Game:
        """Return the game, and print the notes on its files on stderr.

        The notes say what was read, merged or corrected.
        """
        if self.preset is not None:
            return self._of_preset(self.preset)
        if self.table is not None or self.attributes is not None:
            return self._table()
        for name in OF_TABLES:
            if getattr(self, name):
                raise UsageError(f"--{name.replace('_', '-')} needs --table; add --table FILE")
        if self.answers is None and self.guesses is None and self.scoring is None:
            return self._codes()
        words = GameOptions(answers=self.answers, guesses=self.guesses, scoring=self.scoring)
        if other := self.typed("answers", "guesses", "scoring"):
            raise UsageError(f"{words.typed()} and {other} cannot be combined; leave one out")
        return self._words()

    def _table(self) -> Game:
        # Imported here because other games do not need these modules.
        from guessbook.book.games.attributes import read_attributes
        from guessbook.book.games.table_files import read_table

        read: Callable[[], TableGame]
        options: dict[str, Any] = {name: getattr(self, name) for name in OF_TABLES}
        kept: tuple[str, ...] = ("table", *OF_TABLES)
        if self.table is not None:
            read = partial(read_table, self.table, **options)
        else:
            assert self.attributes is not None
            kept = ("attributes", "sheet")
            read = partial(read_attributes, self.attributes, sheet=self.sheet)
        if other := self.typed(*kept):
            file = f"--{kept[0]} {printable(self.table or self.attributes)}"
            raise UsageError(f"{file} and {other} cannot be combined; leave one out")
        game = run_interruptibly("Reading the table", read)
        for note in game.notes:
            say(note)
        return game

    def _of_preset(self, name: str) -> Game:
        if self.symbols is not None and self == GameOptions(name, symbols=self.symbols):
            game = game_of(name)
            if isinstance(game, Mastermind):
                rules = GameOptions(
                    pegs=game.pegs,
                    colors=game.colors,
                    no_repeats=not game.repeats,
                    symbols=self.symbols,
                )
                return rules._codes()
        kept = ("preset", "answers", "guesses")
        # A preset of codes can be combined with symbols alone.
        if other := self.typed(*kept, "symbols") or self.typed(*kept):
            raise UsageError(f"--preset {name} and {other} cannot be combined; leave one out")
        if self.answers is None and self.guesses is None and is_game(name):
            if name in PRESETS and PRESETS[name].needs_words:
                raise UsageError(f"--preset {name} needs a file of words; add --answers FILE")
            return game_of(name)
        preset = PRESETS[name]
        if self.answers is None and self.guesses is not None and preset.dictionary:
            # The preset chooses the secrets.
            allowed, _ = read_words(self.guesses)
            for note in _notes(self.guesses, allowed):
                say(note)
            return preset.game((), allowed.words)
        words = self._words()
        # Without --guesses the preset chooses the guesses.
        return preset.game(words.secrets, words.guesses if self.guesses else (), words.weights)

    def _words(self) -> WordGame:
        if self.answers is None:
            given = f"--guesses {self.guesses}" if self.guesses else f"--scoring {self.scoring}"
            raise UsageError(f"{given} needs --answers; add --answers FILE, a file of secrets")
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
            raise UsageError(
                f"invalid --symbols {quote(symbols)}; give distinct characters without blanks, such as 123456, "
                "or names with commas, such as red,blue"
            )
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
    """A policy as given on the command line; None and False stand for default values."""

    # The help lists only built-in policies, because it must not load other packages. Errors list
    # all.
    policy: str = option(
        "NAME",
        f"One of {', '.join(CLASSES.built_in)}; or a policy from another package.",
        default="entropy",
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
        "For lookahead and rollout: try only the N guesses that --base ranks first. A larger N takes longer and "
        "mostly gives better books.  [default: 20]",
    )
    max_guesses: int | None = _number(
        "max_guesses",
        "For optimal and win: find every secret within N guesses.  [default: no limit]",
    )
    within: int | None = _number(
        "within",
        "Required for win: find the most secrets within N guesses (at most 39), or identify the most things at a cost of at most N.",
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
    """Return the name and the options of a policy as a map, as in the header of a book.

    `text` is the name, optionally with options. `options` that are None or False are ignored.

    >>> policy_map("rollout:first-guess=0012", width=5, base=None)
    {'name': 'rollout', 'base': 'entropy', 'width': 5, 'first_guess': '0012'}
    """
    try:
        found = merge(text, {o: value for o, value in options.items() if value is not False})
        known = header(policy_of(found))
    except UsageError as error:
        message = str(error)
        # On the command line, names of options have dashes. What the user typed stays unchanged.
        for name in set(re.findall("[a-z]+(?:_[a-z]+)+", message)):
            if name not in text:
                message = message.replace(name, name.replace("_", "-"))
        raise UsageError(message) from error
    if "first_guess" in found:
        known["first_guess"] = str(found["first_guess"])
    return known


def load_game(
    answers: Path, guesses: Path | None = None, scoring: str = "standard"
) -> tuple[WordGame, list[str]]:
    """Return a word game from files of secrets and guesses, and notes on the files.

    The notes say what was corrected, ignored or added.
    """
    secrets, weights = read_words(answers)
    notes = _notes(answers, secrets, weights is not None)
    if guesses is None:
        return WordGame(secrets.words, scoring=scoring, weights=weights), notes
    allowed, unused = read_words(guesses)
    notes += _notes(guesses, allowed)
    if unused:
        notes.append(
            f"{printable(guesses)}: weights ignored, because only the weights of secrets count"
        )
    game = WordGame(secrets.words, allowed.words, scoring, weights)
    if added := game.guesses[len(allowed.words) :]:
        some = f"{quantity(len(added), 'secret')} not in {printable(guesses)}, such as {added[0]!r}"
        notes.append(f"{printable(answers)}: {some}, added to the guesses at the end")
    return game, notes


def read_words(path: Path) -> tuple[WordList, tuple[Weight, ...] | None]:
    """Return the words of a UTF-8 file and their weights, which are None if no word has a weight.

    A line is `crane`, `crane 5120` or `crane,12.5%`.
    """
    name = printable(path)
    words, weights = weigh_words(_weighted_words(lines_of(path), name), name, "line")
    if not words.words:
        raise InvalidGameError(f"{name} has no words; write a word on each line")
    return words, weights if any(weights) else None


def _weighted_words(lines: Iterable[str], name: str) -> Iterator[tuple[str, Weight]]:
    """Yield each line's word, "" if the line is blank, and its weight, 0 if it has none."""
    weighted: bool | None = None
    for number, line in enumerate(lines, 1):
        word, *rest = fields(line)
        weight: Weight = 0
        # A second field with a digit counts as a weight, valid or not. With any other second field,
        # the whole line counts as the word, so that the error quotes it.
        if word and rest and any(map(str.isdigit, rest[0])):
            try:
                weight = exact(rest[0])
            except InvalidGameError as error:
                raise InvalidGameError(f"line {number} of {name}: {error}") from None
        elif rest:
            word = line
        if word:
            weighted = weight > 0 if weighted is None else weighted
            if weighted != (weight > 0):
                wrong = "has a weight" if weight else "has no weight"
                raise InvalidGameError(
                    f"line {number} of {name}: {quote(line.strip())} {wrong}, unlike the lines before"
                )
        yield word, weight


def _notes(path: Path, words: WordList, weighted: bool = False) -> list[str]:
    """Return the corrections made while reading a file, as a list of at most one line."""
    again = "added to the weight of the first" if weighted else "skipped"
    done = [
        (words.blank, "blank line", "skipped"),
        (words.rewritten, "word", "written in lower case or composed letters"),
        (words.repeated, "repeated word", again),
    ]
    parts = [f"{quantity(times, what)} {how}" for times, what, how in done if times]
    return [f"{printable(path)}: {', '.join(parts)}"] if parts else []
