"""Comparisons of policies and books."""

from __future__ import annotations

from typing import Any

import guessbook as gb


def test_comparison_has_a_row_for_each_policy_and_book() -> None:
    game = gb.Mastermind(3, 4)
    given = gb.build(game, "minimax")
    rollout = {"name": "rollout", "width": 3}
    sources: list[Any] = ["entropy", rollout, gb.make_policy("parts"), given]
    found = gb.compare(sources, game, jobs=1)
    labels = ["entropy", "rollout (width 3)", "parts", "minimax"]
    assert [each.label for each in found.books] == labels
    for source, each in zip(sources[:3], found.books, strict=False):
        assert each.book.to_bytes() == gb.build(game, source).to_bytes()
        assert each.seconds is not None
        assert each.facts["total_guesses"] == each.book.stats.total_guesses
    assert (found.books[3].seconds, found.books[3].book.to_bytes()) == (None, given.to_bytes())
    assert str(found).startswith("mastermind-3x4: 64 secrets\n\npolicy ")
    assert all(label in str(found) for label in labels)
    assert found._repr_svg_() == found.svg()
    assert found.svg().startswith("<svg")
    means = [f"{each.label} {each.book.stats.mean_guesses:.4f}" for each in found.books]
    assert repr(found) == f"<Comparison mastermind-3x4: {', '.join(means)}>"


def test_game_of_a_comparison_is_the_named_one_or_that_of_the_first_book() -> None:
    given = gb.build("mastermind-2x3")
    assert gb.compare(["parts", given]).game == given.game
    assert gb.compare({"mine": given}).books[0].label == "mine"
    assert gb.compare(["parts"]).game == gb.Mastermind(4, 6)
    weighted = gb.WordGame(["ab", "cd"], weights=[2, 1])
    assert gb.compare(["parts"], weighted).title.endswith("2 secrets, means and chances by weight")


def test_progress_of_a_comparison_names_each_policy() -> None:
    seen: list[str] = []
    gb.compare(["entropy", "parts"], "mastermind-2x3", progress=lambda p: seen.append(p.stage))
    assert {"entropy", "parts"} <= set(seen)


def test_comparison_has_the_share_known_within_each_cost() -> None:
    numbers = range(20)
    game = gb.TableGame(
        ["half", *map(str, numbers)], [f"thing {n}" for n in numbers],
        [[n // 10 for n in numbers], *[[n == m for n in numbers] for m in numbers]],
        costs=["0.5", *[1] * 20],
    )  # fmt: skip
    found = gb.compare({"mine": "entropy"}, game)
    within = found.books[0].facts["within_cost"]
    stats = found.books[0].book.stats
    assert [*within] == sorted(within, key=float)
    assert (float([*within][-1]), within[[*within][-1]]) == (stats.max_cost, 1)
    last = str(found).split("\n\n")[-1].splitlines()
    assert last[0].startswith("% known within cost ")
    costs = last[0].split()[4:]
    assert len(costs) <= 8
    assert last[1].split() == ["mine", *[f"{100 * within[cost]:.2f}" for cost in costs]]
    assert "within_cost" not in gb.compare(["entropy"], "mastermind-2x3").books[0].facts
