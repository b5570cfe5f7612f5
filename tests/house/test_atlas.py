"""The atlas: its page is what the script writes, of games as they are."""

from __future__ import annotations

from benchmarks import atlas
from benchmarks.games import stored
from guessbook.builder import build_strategy

KEPT = stored(atlas.STORE)
GAMES = {atlas.name_of(code): code for code in atlas.plan()}


def test_the_page_is_what_the_script_writes() -> None:
    """Nobody edits docs/explanation/atlas.md by hand."""
    due = "docs/explanation/atlas.md is out of date: run `python -m benchmarks.atlas --minutes 0`"
    assert atlas.PAGE.read_text("utf-8") == atlas.page(KEPT), due


def test_what_is_kept_is_what_is_built() -> None:
    """The small games, built again, have the same totals and openings."""
    for name in [name for name in KEPT if name in GAMES and KEPT[name]["secrets"] < 1000]:
        found = build_strategy(GAMES[name].game)
        assert KEPT[name]["total_guesses"] == found.stats.total_guesses
        assert KEPT[name]["max_guesses"] == found.stats.max_guesses
        assert KEPT[name]["first"] == atlas.pattern(found.root.guess)


def test_every_difference_has_a_reason() -> None:
    """Where a mean is not the published one, it is said why; what is the same says so."""
    for known in (KEPT[name] for name in KEPT if name in GAMES):
        said, mean = atlas.difference(known), known["total_guesses"] / known["secrets"]
        if "published" in known:
            same = f"{mean:.4f}" == known["published"]["mean"]
            assert (said == "the same") == same or abs(
                mean - float(known["published"]["mean"])
            ) < 2e-4
            assert said == "the same" or "opening" in said
