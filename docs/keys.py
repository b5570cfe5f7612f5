"""The keys of the JSON that commands print; docs/generate.py writes a table of them.

tests/project/test_json_keys.py checks that the commands print exactly these keys.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KEYS", "Key"]


class Key(NamedTuple):
    """The description of a key.

    Attributes:
        kind: the type of its values; a "map" is an object whose own keys are data.
        meaning: the meaning, with its unit.
        commands: the commands that print it.
    """

    kind: str
    meaning: str
    commands: str


BOOK = "build-book import info"
BOOKS = "build-book compare import info"
# An imported tree has no outcomes.
BOOKS_BUILT = "build-book compare info"

KEYS = {
    # Histories, and next guesses.
    "guess": Key("text", "a code that is guessed", "hint explain rate score run review tree"),
    "feedback": Key("text", "what is answered, as people write it", "explain score run review"),
    "remaining": Key(
        "number",
        "how many candidates there are before the guess",
        "hint candidates explain rate review tree",
    ),
    "left": Key("number", "how many candidates there are after the guess", "run review"),
    "candidates": Key("list", "the candidates", "candidates"),
    "candidate": Key("boolean", "whether the guess may be the secret", "hint explain tree"),
    "entropy": Key(
        "number",
        "the information that the feedback to the guess is expected to give, in bits",
        "hint explain rate review tree",
    ),
    "bits": Key(
        "number", "the information that this feedback gives, in bits", "explain run review"
    ),
    "chance": Key(
        "number",
        "the probability, 0 to 1, that the guess is the secret; in `partition` that the feedback comes",
        "hint explain rate",
    ),
    "others": Key(
        "number",
        "how many guesses fit beside the only secret that does, where not all may be the secret",
        "hint",
    ),
    "win": Key(
        "number",
        "the probability, 0 to 1, that the policy `win` finds the secret within the guesses that "
        "are left; `explain` has it of the suggested guess",
        "hint explain",
    ),
    "chances": Key("list", "those of `candidates`, where secrets have weights", "candidates"),
    "source": Key(
        "text",
        'where the guess is from: "book", "symmetry", "live", "guesses" (no secret fits, but '
        'guesses do), "first guess" (an option)',
        "hint run",
    ),
    "solved": Key("boolean", "whether the secret has been guessed", "hint score review share"),
    "among_guesses": Key(
        "boolean", "whether no secret fits, and guesses are the candidates", "candidates explain"
    ),
    # The quality of guesses.
    "expected_size": Key("number", "how many candidates are expected to remain", "explain rate"),
    "cells": Key("number", "how many feedbacks may come", "explain rate"),
    "worst": Key("number", "the size of the largest cell", "explain rate"),
    "partition": Key("list", "the cells, the likeliest first", "explain"),
    "size": Key("number", "how many candidates a cell has", "explain"),
    "sum": Key("number", "the entropy of this cell and those above it, in bits", "explain"),
    "examples": Key("list", "some candidates of a cell", "explain"),
    "alternatives": Key("list", "the best guesses, best first", "explain"),
    "best_by": Key("map", "the best guess of each one-step policy", "explain"),
    "pairs": Key("list", "the best pairs of guesses, best first", "explain"),
    "first": Key("text", "a guess of a pair", "explain rate"),
    "second": Key("text", "the other guess of a pair", "explain rate"),
    "skill": Key("number", "how good a guess is, 0 to 100; of a game the mean", "rate review"),
    "luck": Key("number", "how lucky a feedback was, 0 to 100; of a game the mean", "review"),
    "best": Key("text", "the best guess by entropy", "rate review"),
    "best_entropy": Key("number", "its entropy, in bits", "rate review"),
    "mirror": Key(
        "text", "a guess of which `best` is a mirror image, so as good as it, or nothing", "rate"
    ),
    "rank": Key("number", "the rank of the guess, from 1, by entropy", "rate"),
    "ranks": Key("number", "how many ranks there are", "rate"),
    "breaks": Key(
        "text", "what the guess lacks by the rule of hard mode, or nothing", "explain rate"
    ),
    "weight": Key(
        "number",
        "how much the candidates count together, of a book all secrets; where they have weights",
        "explain rate compare info",
    ),
    # Games.
    "secret": Key("text", "the secret; null if it is not known", "score run review"),
    "guesses": Key("number", "how many guesses a game took", "run share"),
    "won": Key("boolean", "whether a game took at most `allowed_guesses`", "run"),
    "wins": Key("number", "how many games took at most `allowed_guesses`", "simulate"),
    "turns": Key("list", "the guesses of a game, in order", "run review"),
    "boards": Key("list", "the games on several boards", "run"),
    "line": Key("list", "what the policy would have played: pairs of guess, feedback", "review"),
    "rows": Key("list", "the grid of a game, a text for each guess", "share"),
    "text": Key("text", "the grid with its title", "share"),
    # Books and files.
    "path": Key("text", "the file that is read or written", "table report verify export " + BOOK),
    "bytes": Key("number", "its size", "table report export " + BOOK),
    "form": Key("text", "the form of the exported file, such as html", "export"),
    "game": Key("text", "the name of the game", "share table tree report simulate export " + BOOKS),
    "note": Key("text", "what to know of the game, if anything", "build-book compare info"),
    "policy": Key("text", "the name of the policy", "explain tree simulate " + BOOKS),
    "ranked_by": Key("text", "the one-step policy that ranks the alternatives", "explain"),
    "options": Key("map", "the options of the policy", BOOKS),
    "claims": Key(
        "object",
        "what the file claims of all strategies, if anything; only `verify --policy` proves it",
        "build-book compare info",
    ),
    "at_least": Key(
        "number",
        "no strategy within the `limits` needs fewer guesses for all secrets together, by weight "
        "where they have weights, or with outcomes has a lower `total_cost`: a book that needs as "
        "many claims to be optimal",
        "build-book compare info",
    ),
    "found_at_most": Key(
        "number",
        "no strategy within the `limits` finds more secrets within the guesses that the option "
        "`within` says, by weight where they have weights",
        "build-book compare info",
    ),
    "found_within": Key(
        "number",
        "how many secrets a book of `win` finds within `within` guesses, by weight",
        "build-book compare info",
    ),
    "limits": Key(
        "map", "the options that limit the strategies of a claim", "build-book compare info"
    ),
    "first_guess": Key("text", "the guess that the book opens with", BOOKS),
    "secrets": Key(
        "number",
        "how many secrets the game has, or things, each with every combination of its unknown answers",
        "presets simulate " + BOOKS,
    ),
    "goal": Key("text", 'the goal of tests that lead to outcomes: "identify"', BOOKS_BUILT),
    "outcomes": Key("map", "how many things each outcome has", BOOKS_BUILT),
    "total_cost": Key(
        "number",
        "the sum over all things of the weight times the costs of the tests, in the units of the table",
        BOOKS_BUILT,
    ),
    "mean_cost": Key("number", "the cost for a thing on average, by weight", BOOKS_BUILT),
    "max_cost": Key("number", "the cost for the thing that costs most", BOOKS_BUILT),
    "outcome": Key("text", "the outcome, where the tests are at their end", "tree"),
    "nodes": Key("number", "how many nodes the book has", BOOKS),
    "total_guesses": Key("number", "the guesses for all secrets together", "simulate " + BOOKS),
    "mean_guesses": Key(
        "number", "the guesses for a secret on average, by weight", "simulate " + BOOKS
    ),
    "max_guesses": Key(
        "number", "the guesses for the hardest secret, which is no limit", "simulate " + BOOKS
    ),
    "distribution": Key(
        "map", "how many secrets each guess finds, by its number", "simulate " + BOOKS
    ),
    "weighted_guesses": Key("number", "`total_guesses` by weight", "compare info"),
    "weight_distribution": Key("map", "`distribution` by weight", "compare info"),
    "seconds": Key(
        "number", "how long the build took; null if nothing was built", "build-book compare"
    ),
    "feedbacks_scored": Key(
        "map",
        "with `--stats`: how many feedbacks, each of a guess and a candidate, were scored for the guess of each number",
        "build-book",
    ),
    "resumed": Key("number", "how many finished tasks the build went on with", "build-book"),
    "books": Key("list", "what is compared, with the facts of each book", "compare"),
    "label": Key("text", "what is compared, as it was asked for", "compare"),
    "within": Key("map", "the chance to need at most each number of guesses, 0 to 1", "compare"),
    "played": Key("number", "how many secrets were played", "simulate"),
    "depth": Key("number", "how many guesses deep the tree is shown", "tree"),
    "tree": Key("object", "the first node", "tree"),
    "children": Key("map", "the nodes below a node, by feedback", "tree"),
    "checks": Key("list", "what was checked", "verify"),
    "passed": Key(
        "boolean",
        "whether a check, or all, found nothing wrong; null where nothing was checked",
        "verify",
    ),
    "found": Key("text", "what a check found, in a line", "verify"),
    "name": Key("text", "the name of a preset, or of a check", "presets verify"),
    "title": Key("text", "what a preset is, in a line", "presets"),
    "allowed_guesses": Key(
        "number", "how many guesses the game itself allows, or 0", "presets run simulate"
    ),
    # Errors, of every command.
    "error": Key("text", "the problem, then what to do", "any"),
    "exit_code": Key(
        "number",
        "how the command ends: 1 failure, 2 usage, 3 invalid book, 4 inconsistent history",
        "any",
    ),
    "suspects": Key("list", "the entries of the history to re-check, from 0", "any"),
}
