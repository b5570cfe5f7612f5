"""The keys of the JSON that commands print; docs/generate.py writes a table of them.

tests/project/test_json_keys.py checks that the commands print exactly these keys.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KEYS", "Key"]


class Key(NamedTuple):
    """The description of a key.

    Attributes:
        kind: the type of the values; a "map" is an object with data as keys.
        meaning: the meaning, with its unit.
        commands: the commands that print the key, separated by spaces; "any" for every command.
    """

    kind: str
    meaning: str
    commands: str


BOOK = "build-book import info"
BOOKS = "build-book compare import info"
# Without `import`, because an imported tree has neither outcomes nor claims.
BOOKS_BUILT = "build-book compare info"

KEYS = {
    # Histories, and next guesses.
    "guess": Key("string", "a guess", "hint explain rate score run review tree"),
    "feedback": Key("string", "a feedback, as people write it", "explain score run review"),
    "remaining": Key(
        "number",
        "the number of candidates before the guess; with outcomes, of things, counted once for each "
        "combination of their unknown answers",
        "hint candidates explain rate review tree",
    ),
    "left": Key("number", "the number of candidates after the guess", "run review"),
    "candidates": Key("list", "the candidates", "candidates"),
    "candidate": Key("boolean", "whether the guess may be the secret", "hint explain tree"),
    "entropy": Key(
        "number",
        "the expected information of the feedback to the guess, in bits",
        "hint explain rate review tree",
    ),
    "bits": Key("number", "the information of this feedback, in bits", "explain run review"),
    "chance": Key(
        "number",
        "the probability, 0 to 1, that the guess is the secret, or the outcome; in `partition`, the "
        "probability of the feedback",
        "hint explain rate",
    ),
    "others": Key(
        "number",
        "if only one secret fits, and some guesses are never the secret: the number of other "
        "guesses that fit",
        "hint",
    ),
    "outcome": Key(
        "string",
        "the outcome, after the last test; in `hint`, all outcomes that remain, joined by `or`",
        "hint tree",
    ),
    "outcomes": Key(
        "map",
        "the number of things of each outcome; in `hint`, after the last test, the probability, 0 to "
        "1, of each outcome that remains",
        "hint " + BOOKS_BUILT,
    ),
    "answers": Key("list", "the possible answers to the test", "hint"),
    "cost": Key("number", "the cost of the test, in the units of the table", "hint explain"),
    "win": Key(
        "number",
        "the probability, 0 to 1, that the policy `win` finds the secret within its remaining "
        "guesses; in `explain`, that of the suggested guess",
        "hint explain",
    ),
    "chances": Key(
        "list", "the probabilities of `candidates`, if secrets have weights", "candidates"
    ),
    "source": Key(
        "string",
        'where the guess comes from: "book", "symmetry", "live", "guesses" (no secret fits, but '
        'guesses do) or "first guess" (an option)',
        "hint run",
    ),
    "solved": Key(
        "boolean",
        "whether the secret has been guessed, or only one outcome remains",
        "hint score review share",
    ),
    "among_guesses": Key(
        "boolean",
        "whether no secret fits, so that the candidates are guesses",
        "candidates explain",
    ),
    # The quality of guesses.
    "expected_size": Key("number", "the expected number of remaining candidates", "explain rate"),
    "cells": Key("number", "the number of cells: of possible feedbacks", "explain rate"),
    "worst": Key("number", "the size of the largest cell", "explain rate"),
    "partition": Key("list", "the cells, the likeliest first", "explain"),
    "size": Key("number", "the number of candidates in a cell", "explain"),
    "sum": Key("number", "the entropy of this cell and the cells above it, in bits", "explain"),
    "examples": Key("list", "some candidates of a cell", "explain"),
    "alternatives": Key("list", "the best guesses, best first", "explain"),
    "best_by": Key("map", "the best guess of each one-step policy", "explain"),
    "pairs": Key("list", "the best pairs of guesses, best first", "explain"),
    "first": Key("string", "the first guess of a pair", "explain rate"),
    "second": Key("string", "the second guess of a pair", "explain rate"),
    "skill": Key("number", "the skill of a guess, 0 to 100; of a game, the mean", "rate review"),
    "luck": Key("number", "the luck of a feedback, 0 to 100; of a game, the mean", "review"),
    "best": Key("string", "the best guess by entropy", "rate review"),
    "best_entropy": Key("number", "the entropy of `best`, in bits", "rate review"),
    "mirror": Key("string", "a guess that is equivalent to `best`, or an empty string", "rate"),
    "rank": Key("number", "the rank of the guess by entropy, from 1", "rate"),
    "ranks": Key("number", "the number of ranks", "rate"),
    "breaks": Key(
        "string",
        "what the guess lacks by the rule of hard mode, or an empty string",
        "explain rate",
    ),
    "weight": Key(
        "number",
        "the sum of the weights of the candidates; of a book, of all secrets; only if secrets have "
        "weights",
        "explain rate build-book compare info",
    ),
    # Games.
    "secret": Key("string", "the secret, or null if it is not known", "score run review"),
    "guesses": Key("number", "the number of guesses of a game", "run share"),
    "won": Key("boolean", "whether a game took at most `allowed_guesses`", "run"),
    "wins": Key("number", "the number of games that took at most `allowed_guesses`", "simulate"),
    "turns": Key("list", "the guesses of a game, in order", "run review"),
    "boards": Key("list", "the games on several boards", "run"),
    "line": Key("list", "the game of the policy: pairs of guess and feedback", "review"),
    "rows": Key("list", "the grid of a game, one string for each guess", "share"),
    "text": Key("string", "the grid with its title", "share"),
    # Books and files.
    "path": Key(
        "string",
        "the file that is read or written; without a file, the name of the preset or game",
        "table report verify export " + BOOK,
    ),
    "bytes": Key("number", "the size of the file", "table report export " + BOOK),
    "form": Key("string", "the form of the exported file, such as html", "export"),
    "game": Key(
        "string", "the name of the game", "share table tree report simulate export " + BOOKS
    ),
    "note": Key("string", "a remark about the game", BOOKS),
    "policy": Key("string", "the name of the policy", "explain tree simulate " + BOOKS),
    "ranked_by": Key("string", "the one-step policy that ranks the alternatives", "explain"),
    "options": Key("map", "the options of the policy", BOOKS),
    "claims": Key(
        "object",
        "the claims of the book about all strategies, which `verify --policy` proves",
        BOOKS_BUILT,
    ),
    "at_least": Key(
        "number",
        "a claim: no strategy within the `limits` needs fewer guesses for all secrets together "
        "(with weights, `weighted_guesses`; with outcomes, `total_cost`). If the book needs just "
        "as many, it claims to be optimal",
        BOOKS_BUILT,
    ),
    "found_at_most": Key(
        "number",
        "a claim: no strategy within the `limits` solves more secrets (with weights, more weight) "
        "within the guesses of the option `within`",
        BOOKS_BUILT,
    ),
    "found_within": Key(
        "number",
        "the secrets (with weights, their weight) that a book of `win` solves within the guesses "
        "of the option `within`",
        BOOKS_BUILT,
    ),
    "limits": Key("map", "the options that limit the strategies of a claim", BOOKS_BUILT),
    "first_guess": Key("string", "the first guess of the book", BOOKS),
    "secrets": Key(
        "number",
        "the number of secrets; with outcomes, of things, counted once for each combination of "
        "their unknown answers",
        "presets simulate " + BOOKS,
    ),
    "goal": Key("string", '"identify": the goal of tests that lead to outcomes', BOOKS_BUILT),
    "total_cost": Key(
        "number",
        "the costs of all tests, added up over all things by weight, in the units of the table",
        BOOKS_BUILT,
    ),
    "mean_cost": Key("number", "the mean cost of a thing, by weight", BOOKS_BUILT),
    "max_cost": Key("number", "the largest cost of a thing", BOOKS_BUILT),
    "nodes": Key("number", "the number of nodes of the book", BOOKS),
    "total_guesses": Key(
        "number", "the number of guesses for all secrets together", "simulate " + BOOKS
    ),
    "mean_guesses": Key(
        "number", "the mean number of guesses for a secret, by weight", "simulate " + BOOKS
    ),
    "max_guesses": Key(
        "number",
        "the number of guesses for the hardest secret (not a limit, as the option of this name is)",
        "simulate " + BOOKS,
    ),
    "distribution": Key(
        "map", "the number of secrets that each guess finds, by its number", "simulate " + BOOKS
    ),
    "weighted_guesses": Key("number", "`total_guesses` by weight", "build-book compare info"),
    "weight_distribution": Key("map", "`distribution` by weight", "build-book compare info"),
    "seconds": Key(
        "number", "the time of the build, or null if nothing was built", "build-book compare"
    ),
    "feedbacks_scored": Key(
        "map",
        "with `--stats`: the number of scored pairs of a guess and a candidate, for the first "
        "guess, the second, and so on",
        "build-book",
    ),
    "resumed": Key(
        "number",
        "the number of finished tasks that the build read from its checkpoint",
        "build-book",
    ),
    "books": Key("list", "the compared books, with the facts of each", "compare"),
    "label": Key("string", "the argument that names the policy or the book", "compare"),
    "within": Key(
        "map", "the probability, 0 to 1, to need at most each number of guesses", "compare"
    ),
    "within_cost": Key(
        "map",
        "if tests have costs, the probability, 0 to 1, to know the outcome within each cost",
        "compare",
    ),
    "played": Key("number", "the number of games that were played", "simulate"),
    "depth": Key("number", "the number of levels that are shown", "tree"),
    "tree": Key("object", "the first node", "tree"),
    "children": Key("map", "the nodes below a node, by feedback", "tree"),
    "checks": Key("list", "the checks of the book", "verify"),
    "passed": Key(
        "boolean",
        "whether a check, or every check, passed; null if the check was skipped",
        "verify",
    ),
    "found": Key("string", "the result of a check, in a line", "verify"),
    "name": Key("string", "the name of a preset or of a check", "presets verify"),
    "title": Key("string", "a description of the preset, in a line", "presets"),
    "allowed_guesses": Key(
        "number",
        "the number of guesses that the rules of the game allow, or 0",
        "presets run simulate",
    ),
    # Errors, of every command.
    "error": Key("string", "the problem, then what to do", "any"),
    "exit_code": Key(
        "number",
        "the exit code: 1 failure, 2 usage, 3 invalid book, 4 inconsistent history",
        "any",
    ),
    "suspects": Key(
        "list", "the positions, from 0, of the entries of the history to re-check", "any"
    ),
}
