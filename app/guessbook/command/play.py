"""The commands that play games: solve, run, play, hide and simulate."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from guessbook.book.errors import UsageError, listing, printable, quantity
from guessbook.book.games.game import Game
from guessbook.book.games.presets import allowed_guesses
from guessbook.book.summary import bars, by_guess
from guessbook.command.books import source
from guessbook.command.options import (
    BOOK,
    BOOK_OF_HISTORY,
    FORCE,
    HISTORY,
    JSON,
    REFUSED,
    flag,
    option,
    output_option,
    output_path,
    read_arguments,
    read_refused,
)
from guessbook.command.output import check_target, counting_bar, show, write
from guessbook.export.spreadsheet import line
from guessbook.play import simulate as games
from guessbook.play.boards import MAX_BOARDS, Boards, BoardTurn, boards_turns
from guessbook.play.opponents import (
    Adversary,
    Codemaker,
    Shuffle,
    random_secrets,
    random_shuffle,
    secrets_of_day,
    today,
)
from guessbook.play.session import Session
from guessbook.play.terminal.display import Screen
from guessbook.play.terminal.interruptible import run_interruptibly
from guessbook.play.terminal.play import Player
from guessbook.play.terminal.prompts import SavedGame
from guessbook.play.terminal.solve import BoardsAssistant, SolveAssistant
from guessbook.policy.registry import name_in_words

PLAIN = flag(
    "--plain",
    "Draw the feedbacks alone, without the number of candidates, the symbols ruled out and the "
    "review. `?` and `:list` still work.",
)
BOARDS = option(
    "N", "Find N secrets at once: every guess is for all boards.", min=1, max=MAX_BOARDS
)
MAX_GUESSES = option(
    "N",
    "You lose after N guesses.  [default: the limit that `presets` lists, 6 for words of 5 letters, and one more for "
    "each further board; else no limit]",
    min=1,
)
RANDOM_SEED = option("N", "Seed of all random choices.  [default: random]", "--random-seed", min=0)
SAVE = option(
    "FILE",
    "Save the game to this text file after every feedback. If the file exists, its game resumes; "
    "`hint FILE` also reads the file.",
    parser=output_path,
)


@dataclass(frozen=True)
class Opening:
    """The options for a game that the policy plays: first guess, permutation and random seed."""

    first_guess: str | None = option(
        "CODE", "Begin with this code instead of the policy's first guess."
    )
    shuffle: bool = flag(
        "--shuffle",
        "Permute the positions and symbols of codes at random: unpredictable openings, equal strength.",
    )
    random_seed: int | None = RANDOM_SEED

    def permutation(self, game: Game, drawn: bool = False) -> Shuffle | None:
        """Return a random permutation of positions and symbols, or None without --shuffle.

        `drawn` is True if Guessbook draws a random secret. If it is False, --random-seed without
        --shuffle raises UsageError.
        """
        if self.shuffle:
            return random_shuffle(game, self.random_seed)
        if self.random_seed is not None and not drawn:
            raise UsageError(
                f"--random-seed {self.random_seed} has no effect without --shuffle or a random "
                "secret; add --shuffle"
            )
        return None


def solve(
    words: list[str] | None = HISTORY,
    book: str | None = BOOK_OF_HISTORY,
    boards: int | None = BOARDS,
    save: Path | None = SAVE,
    refused: Path | None = REFUSED,
    *,
    opening: Opening,
) -> None:
    """Propose guesses for your game; you type each feedback.

    Type GUESS=FEEDBACK if you made another guess. Other inputs: `?` shows reasons, `list` shows the
    candidates, and `undo`, `edit` or `aside` corrects a feedback. `help` lists all inputs, and
    `quit` stops.

    Example: guessbook solve mastermind-4x6
    """
    asked = read_arguments(words, book)
    if refused is not None:
        asked.refused.extend(read_refused(asked.source.book.game, refused))
    session = asked.session()
    session.shuffle = opening.permutation(session.game)
    check_saved(save, boards or 1)
    if boards in {None, 1}:
        saved = SavedGame(save, session) if save else None
        if saved and saved.secret:
            raise UsageError(
                f"{printable(save)} is a game of `play`; continue it with `play --save`"
            )
        SolveAssistant(session, Screen(), opening.first_guess, saved, refused).play()
        return
    if asked.history:
        raise UsageError(f"--boards {boards} takes no history; type it at the prompts")
    BoardsAssistant(Boards(session, boards), Screen(), opening.first_guess, refused).play()


def run(
    book: str | None = BOOK,
    secret: list[str] | None = option(
        "CODE", "The secret; may be repeated, to play several boards at once.  [default: random]"
    ),
    *,
    opening: Opening,
    json: bool = JSON,
) -> None:
    """Show the game that the policy plays against a secret.

    Several secrets are played at once, with the same guesses. Each line has the guess, its
    feedback, and the number of candidates left. If there is one secret, and the real game has a
    limit of guesses, the last line says whether the policy wins.

    Example: guessbook run mastermind-4x6 --secret PYRO
    """
    if secret and len(secret) > MAX_BOARDS:
        raise UsageError(f"too many secrets: {len(secret)}, limit {MAX_BOARDS}")
    opened = source(book).book
    session = Session(opened)
    session.shuffle = opening.permutation(opened.game, drawn=not secret)
    secret = secret or random_secrets(opened.game, 1, opening.random_seed)
    if len(secret) == 1:
        play = partial(games.turns, session, secret[0], opening.first_guess)
        played = run_interruptibly("Playing", play)
        allowed = allowed_guesses(opened.game)
        if json:
            limit = {"allowed_guesses": allowed, "won": len(played) <= allowed} if allowed else {}
            show({"secret": secret[0], "guesses": len(played), **limit, "turns": played})
        else:
            draw_turns(opened.game, played, allowed)
        return
    play_all = partial(boards_turns, session, secret, opening.first_guess)
    several = run_interruptibly("Playing", play_all)
    if json:
        boards = [
            {"secret": code, "guesses": len(turns), "turns": turns}
            for code, turns in zip(secret, several, strict=True)
        ]
        show({"guesses": max(map(len, several)), "boards": boards})
    else:
        draw_boards(opened.game, several)


def play(
    book: str | None = BOOK,
    boards: int | None = BOARDS,
    max_guesses: int | None = MAX_GUESSES,
    plain: bool = PLAIN,
    daily: bool = flag(
        "--daily", "Play the secret of the day, by universal time: everybody gets the same secret."
    ),
    secret: list[str] | None = option(
        "CODE", "The secret, set for another player; one for each board."
    ),
    random_seed: int | None = RANDOM_SEED,
    save: Path | None = SAVE,
) -> None:
    """Guess the computer's secret.

    After each guess you see the feedback, and symbols found or ruled out. Type a guess, or `?` for
    a hint, `:list` for the candidates, `:give-up` for the secret, or `:quit` to stop. The game ends
    with a review and a grid to share.

    For another game, name its preset, as in `guessbook play bagels`, or build its book first. A
    book of words needs two commands: `guessbook words -o words.txt`, then `guessbook build-book
    --answers words.txt -o words.book`.

    Example: guessbook play mastermind-4x6 --max-guesses 10
    """
    session = Session(source(book).book)
    count = boards or len(secret or [None])
    if max_guesses is None:
        limit = allowed_guesses(session.game)
        # Dordle, Quordle and Octordle have the same limits.
        max_guesses = limit + count - 1 if limit else None
    options = {"--secret": secret, "--daily": daily, "--random-seed": random_seed is not None}
    chosen = [name for name, given in options.items() if given]
    if len(chosen) > 1:
        raise UsageError(f"{listing(chosen)} cannot be combined; give only one of them")
    if secret and len(secret) != count:
        raise UsageError(
            f"--boards {boards} needs {quantity(count, '--secret option')}, and "
            f"{len(secret)} {'is' if len(secret) == 1 else 'are'} given"
        )
    if count > MAX_BOARDS:
        raise UsageError(f"too many secrets: {count}, limit {MAX_BOARDS}")
    day = today() if daily else ""
    if secret:
        hidden = [games.secret_of(session, code, any_guess=True) for code in secret]
    elif daily:
        hidden = secrets_of_day(session.game, count, day)
    else:
        hidden = random_secrets(session.game, count, random_seed)
    check_saved(save, count)
    saved = SavedGame(save, session) if save else None
    if saved:
        hidden = [saved.choose_secret(session, hidden[0], max_guesses, bool(chosen))]
    makers = [Codemaker(session.game, code) for code in hidden]
    Player(
        session, makers, Screen(), plain=plain, max_guesses=max_guesses, day=day, saved=saved
    ).play()


def check_saved(save: Path | None, boards: int) -> None:
    """Raise UsageError if `--save` names stdout, or is given with several boards."""
    if str(save) == "-":
        raise UsageError("--save also reads the game, so it cannot use stdout; name a file")
    if save and boards > 1:
        raise UsageError(
            f"--save {save} cannot save {boards} boards; play one board, or omit --save"
        )


def hide(
    book: str | None = BOOK,
    max_guesses: int | None = option("N", "You lose after N guesses.  [default: no limit]", min=1),
    plain: bool = PLAIN,
) -> None:
    """Play against an adversary that never chooses a secret.

    Each feedback is the one that leaves the most candidates. You win by guessing the last
    candidate. Type a guess, or `?` for a hint, `:list` for the candidates, `:give-up` for a
    possible secret, or `:quit` to stop.

    Example: guessbook hide mastermind-4x6
    """
    session = Session(source(book).book)
    rivals = [Adversary(session.game)]
    Player(session, rivals, Screen(), plain=plain, max_guesses=max_guesses).play()


def simulate(
    book: str | None = BOOK,
    fraction: float = option(
        "F", "The fraction of the secrets to play, above 0 and at most 1.", default=1.0
    ),
    number: int | None = option(
        "N", "Play N games with secrets drawn by weight.", "--games", min=1, max=10_000_000
    ),
    random_seed: int | None = RANDOM_SEED,
    output: Path | None = output_option("Write the number of guesses for each secret as CSV."),
    force: bool = FORCE,
    json: bool = JSON,
) -> None:
    """Play a book against secrets, and count its guesses.

    The book plays all secrets, a random part of them, or a number of games with random secrets. If
    the real game has a limit of guesses, a win is a secret that is found within the limit.

    Example: guessbook simulate mastermind-4x6 --fraction 0.1 -o results.csv
    """
    if number is not None and fraction != 1:
        raise UsageError(
            f"--fraction {fraction} and --games {number} cannot be combined; leave one out"
        )
    opened = source(book).book
    if output is not None:
        check_target(output, force, json=json)
    secrets = games.sample(opened.game.secrets, fraction, random_seed)
    with counting_bar("playing", number or len(secrets)) as report:
        if number is None:
            found = opened.simulate(secrets, progress=report)
        else:
            found = games.simulate_games(opened, number, random_seed, report)
    allowed = allowed_guesses(opened.game)
    wins = sum(found.distribution[:allowed])
    nouns, solved = opened.stats.nouns, by_guess(found.distribution, opened.stats.first_depth)
    if output is not None:
        head = line(nouns.secret, nouns.guesses)
        lines = [head, *[line(*game) for game in found.guesses.items()]]
        if not write(output, "".join(lines).encode(), force):
            return
    if json:
        known = {"game": opened.game.name, "policy": opened.stats.policy, **found._asdict()}
        del known["guesses"]
        known |= {"secrets": len(opened.game.secrets), "distribution": solved}
        show(known | ({"allowed_guesses": allowed, "wins": wins} if allowed else {}))
        return
    screen, total = Screen(), quantity(len(opened.game.secrets), nouns.secret)
    screen.say(f"{opened.game.name}, {name_in_words(opened.policy)}")
    screen.say(f"played      {found.played:,} {'of' if number is None else 'games,'} {total}")
    by = " by weight" if opened.stats.is_weighted else ""
    mean = f"{found.mean_guesses:.4f} on average{by}, {found.max_guesses} at most"
    screen.say(f"{nouns.guesses:<11} {mean}")
    if allowed:
        screen.say(f"wins        {wins:,} of {found.played:,} within {quantity(allowed)}")
    encoding = "utf-8" if screen.symbols else "ascii"
    screen.say()
    for each in bars(solved, {}, screen.width, encoding, nouns):
        screen.say(each)


def draw_turns(game: Game, played: list[games.Turn], allowed: int) -> None:
    """Print a game: a line for each guess, then the result.

    `allowed` is the limit of guesses; 0 means no limit.
    """
    screen = Screen()
    if game.identification is not None:
        for number, turn in enumerate(played, 1):
            screen.row(game, number, turn.guess, turn.feedback, f"{turn.left:,} left")
        screen.say(f"outcome known after {quantity(len(played), 'test')}")
        return
    for number, turn in enumerate(played, 1):
        last = number == len(played)
        note = "solved" if last else f"{turn.left:,} left"
        if turn.source in {"symmetry", "live"} and screen.width >= 60:
            note += f", {turn.source}"
        screen.row(game, number, turn.guess, turn.feedback, note)
    verdict = f": a {'win' if len(played) <= allowed else 'loss'}, {allowed} are allowed"
    secret = game.display_name(played[-1].guess)
    screen.say(f"{secret} found in {quantity(len(played))}{verdict if allowed else ''}")


def draw_boards(game: Game, boards: list[list[BoardTurn]]) -> None:
    """Print the game on each board, with a line for each guess; then the number of guesses."""
    screen = Screen()
    for number, turns in enumerate(boards, 1):
        screen.say(f"board {number}", "bold")
        for k, turn in enumerate(turns, 1):
            note = "solved" if k == len(turns) else f"{turn.left:,} left"
            screen.row(game, k, turn.guess, turn.feedback, note)
    screen.say(f"{len(boards)} boards in {quantity(max(map(len, boards)))}")


COMMANDS: dict[str, Callable[..., None]] = {
    "hide": hide,
    "play": play,
    "run": run,
    "simulate": simulate,
    "solve": solve,
}
