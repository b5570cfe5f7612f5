"""The plan of docs/explanation/records.md: the games, and the policy for each."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.games import WORDLE, WORDLE_2023, Code, Words

# The limit for a row, in minutes of all cores; longer builds are stopped. SLOW has the exceptions.
LONGEST = 10
SLOW = {"4x10": 60, "5x8": 30}


class Row(NamedTuple):
    """A record to build.

    Attributes:
        name: the name on the page and for `--only`.
        policy: the policy in the notation of `--policy`, then `--stop-at-gap` with its value if the
            search may end at a gap.
        game: the game.
        limit: the limit on the guesses for the hardest secret, or None.
        longest: the limit on the time of the build, in minutes of all cores.
        within: the limit K of the policy `win`; None for other policies.
    """

    name: str
    policy: str
    game: Code | Words = WORDLE
    limit: int | None = None
    longest: int = LONGEST
    within: int | None = None

    @property
    def command(self) -> str:
        """The command that builds the book, without the output file."""
        return f"guessbook build-book {self.game.options} --policy {self.policy}"


OPTIMAL = "optimal"
WIDEST = "rollout:base=entropy-corrected,width=300,endgame=1000"
WIDE = "rollout:width=50,endgame=200"
# An endgame needs a table of all feedbacks, which is too large from 40,000 codes on.
MEDIUM = "rollout:width=20"
# If a code has most of the symbols and none twice, as in 6 of 8, a feedback gives little
# information, so an endgame takes long.
BROAD = "rollout:base=entropy-corrected,width=5000"
NARROW = "rollout:width=5"
# From half a million codes on, only one-step policies are fast enough. This one would open with
# five or six of ten colours; the published search needs the fewest guesses with four.
INSTANT = "entropy-corrected:first-guess=RRYYGB"
TITLES = {(3, 10): "3 of 10 (Bagels)", (4, 10): "4 of 10 (Bulls and Cows)"}

# Pegs, the fewest colours, and the policies for that number of colours, for one more, and so on.
REPEATS = [
    (3, 4, [OPTIMAL] * 9),
    (4, 4, [OPTIMAL] * 7 + [WIDE, MEDIUM]),
    (5, 4, [OPTIMAL] * 3 + [WIDEST] * 2 + [MEDIUM] * 2 + [NARROW] * 2),
    (6, 3, [OPTIMAL] * 2 + [WIDEST] + [MEDIUM] * 2 + [NARROW] + [INSTANT] * 4),
]
NO_REPEATS = [
    (3, 4, [OPTIMAL] * 9),
    (4, 4, [OPTIMAL] * 8 + [WIDEST]),
    (5, 5, [OPTIMAL] * 4 + [BROAD] * 2 + [MEDIUM] * 2),
    (6, 6, [OPTIMAL] + [BROAD] * 2 + [MEDIUM, NARROW, NARROW, "entropy"]),
]
# Pegs, colours, and the limit on the guesses for the hardest secret.
LIMITED = [(4, 6, 5), (4, 8, 6)]
# Most secrets within K guesses: name, game, further options of the policy, and the values of K.
MOST: list[tuple[str, Code | Words, str, tuple[int, ...]]] = [
    ("3x4", Code(3, 4), "", (2, 3)),
    ("3x6", Code(3, 6), "", (3, 4)),
    ("4x6", Code(4, 6), "", (2, 3, 4, 5)),
    ("4x6, none after 5", Code(4, 6), ",max-guesses=5", (4,)),
    ("4x7", Code(4, 7), "", (3, 4, 5)),
    ("5x6", Code(5, 6), "", (3, 4)),
    ("5x6", Code(5, 6), " --stop-at-gap 5%", (5,)),
    (TITLES[4, 10], Code(4, 10, False), "", (3, 4, 5, 6)),
    ("Wordle", WORDLE, "", (2, 3)),
    ("Wordle, tenor", WORDLE, ",first-guess=tenor", (4,)),
    ("Wordle 2023", WORDLE_2023, "", (2, 3)),
    ("Wordle 2023, tarse", WORDLE_2023, ",first-guess=tarse", (4,)),
    ("Wordle, hard mode", WORDLE, ",hard-mode", (3,)),
    ("Wordle, hard mode, slate", WORDLE, ",first-guess=slate,hard-mode", (4,)),
]


class Unfinished(NamedTuple):
    """A search of `optimal` that was stopped.

    Attributes:
        minutes: its processor time.
        bound: the total that it proved to be needed by every strategy.
        done: the part of the search that it did, in percent.
    """

    minutes: int
    bound: int
    done: int


UNFINISHED = {
    "5x7": Unfinished(7, 80_647, 1),
    "6x5": Unfinished(20, 70_501, 1),
    "4 of 12": Unfinished(62, 66_539, 81),
    "5 of 9": Unfinished(19, 75_473, 1),
    "6 of 7": Unfinished(16, 26_569, 1),
}
# Records that are not in the plan, and why.
LEFT_OUT = {
    **{
        f"{name}, proven": f"{minutes} minutes of processor time proved at least {bound:,} guesses "
        f"and did {done}% of the search"
        for name, (minutes, bound, done) in UNFINISHED.items()
    },
    "Wordle, most within 4, with any opening": "10 minutes of processor time tried 4% of the openings; the best "
    "of them finds 2,298 secrets, and no search proved that no opening finds all 2,315",
    "Wordle 2023, hard mode, with any opening": "75 minutes of processor time closed 11,640 of the 14,855 openings "
    "(see above); salet needs the fewest guesses of these",
    "Wordle 2023, most within 4, with any opening": "of the seven openings tried, tarse finds the most; the others "
    "(crate, reast, salet, slate, tenor, torse) find 3,023 to 3,037",
    "Wordle, hard mode, most within 4, with any opening": "3 minutes of processor time tried fewer than 10 openings; "
    "the best of them finds 2,212 secrets, and no bound is proven",
}


def plan() -> list[Row]:
    """The rows, in the order of the page."""
    rows = []
    for pegs, least, policies in REPEATS:
        for colors, policy in enumerate(policies, least):
            name = f"{pegs}x{colors}"
            rows.append(Row(name, policy, Code(pegs, colors), None, SLOW.get(name, LONGEST)))
    for pegs, colors, limit in LIMITED:
        name, policy = f"{pegs}x{colors} within {limit}", f"{OPTIMAL}:max-guesses={limit}"
        rows.append(Row(name, policy, Code(pegs, colors), limit))
    for pegs, least, policies in NO_REPEATS:
        for colors, policy in enumerate(policies, least):
            name = TITLES.get((pegs, colors), f"{pegs} of {colors}")
            rows.append(Row(name, policy, Code(pegs, colors, False)))
    most = [
        Row(f"{name}, most within {k}", f"win:within={k}{options}", game, within=k)
        for name, game, options, numbers in MOST
        for k in numbers
    ]
    salet = f"{OPTIMAL}:first-guess=salet"
    return [
        *rows,
        Row("Wordle, salet", salet),
        Row("Wordle 2023, tarse", f"{OPTIMAL}:first-guess=tarse", WORDLE_2023),
        Row("Wordle 2023, hard mode, salet", f"{salet},hard-mode", WORDLE_2023),
        Row("Wordle, hard mode, salet", f"{salet},hard-mode"),
        Row("Wordle, hard mode, salet, within 6", f"{salet},hard-mode,max-guesses=6", limit=6),
        *most,
    ]
