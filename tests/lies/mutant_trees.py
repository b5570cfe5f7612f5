"""Mutators of the tree in a book file: sealed, with the statistics that go with the lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.tree import from_planes, to_planes
from tests.helpers.content import Document, packed, seal
from tests.lies.seeds import Seed

if TYPE_CHECKING:
    from random import Random

# Nodes or words: many, and few enough for many mutants.
MANY = 40_000
COLUMNS = ("guess", "feedback", "children", "surplus")


def columns_of(document: Document) -> dict[str, list[int]]:
    """The tree's columns as integers."""
    nodes = document["nodes"]
    return {name: list(from_planes(document["tree"][name], nodes)) for name in COLUMNS}


def with_tree(document: Document, columns: dict[str, list[int]]) -> bytes:
    """The file with other columns, and with the statistics that go with them, if any do."""
    count = len(columns["guess"])
    tree = {name: to_planes([n & 0xFFFFFFFF for n in c]) for name, c in columns.items()}
    document |= {"nodes": count, "tree": tree}
    sizes = [a + b for a, b in zip(columns["surplus"], columns["children"], strict=True)]
    depths, distribution, first = [1] * count, [0] * count, 1
    for node, children in enumerate(columns["children"]):
        below = range(first, max(first, min(count, first + children)))
        for child in below:
            depths[child] = min(depths[node] + 1, count)
        distribution[depths[node] - 1] += sizes[node] - sum(sizes[below.start : below.stop])
        first = max(0, first + children)
    while distribution and not distribution[-1]:
        distribution.pop()
    document["distribution"] = distribution
    document["total_guesses"] = sum(depth * n for depth, n in enumerate(distribution, 1))
    return seal(packed(document))


def change_column(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Some nodes have another guess, feedback, number of children or of candidates."""
    document = seed.document
    columns = columns_of(document)
    column = columns[chance.choice(COLUMNS)]
    for _node in range(chance.randint(1, 4)):
        value = chance.choice([0, 1, 2, 255, 2**16, 2**32 - 1, chance.choice(column)])
        column[chance.randrange(len(column))] = value
    return with_tree(document, columns)


def change_guesses(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A tree that is none of this game: other guesses, in range, and other feedbacks in order."""
    document = seed.document
    columns = columns_of(document)
    if chance.random() < 0.5:
        chance.shuffle(columns["guess"])
    else:
        most = max(columns["guess"])
        columns["guess"] = [chance.randint(0, most) for _ in columns["guess"]]
    return with_tree(document, columns)


def change_links(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Children hang on other nodes, or on themselves; their number stays."""
    document = seed.document
    columns = columns_of(document)
    children = columns["children"]
    if chance.random() < 0.5:
        a, b = chance.randrange(len(children)), chance.randrange(len(children))
        children[a], children[b] = children[b], children[a]
    else:
        chance.shuffle(children)
    return with_tree(document, columns)


def resize(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Columns of more or fewer planes or nodes."""
    document = seed.document
    for name in chance.sample(COLUMNS, chance.randint(1, 4)):
        data = document["tree"][name]
        planes = bytes(document["nodes"] * chance.randint(0, 4))
        document["tree"][name] = chance.choice([data + planes, data[:-1], data * 2, planes])
    document["nodes"] = chance.choice([document["nodes"], 0, 1, document["nodes"] * 2, 2**40])
    return seal(packed(document))


def overgrown(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A tree far too large, or deep, for its game; or as large as a larger game asks for."""
    document = seed.document
    codes = document["secrets"]
    if chance.random() < 0.5 and document["game"]["type"] == "mastermind":
        pegs = chance.randint(2, 6)
        document["game"] |= {"pegs": pegs, "repeats": True}
        codes = document["game"]["colors"] ** pegs
    most = chance.choice([MANY] + 15 * [1000])
    nodes = min(chance.choice([codes, codes + 1, 2 * codes, 2 * codes + 1, most]), most)
    chain = chance.random() < 0.7
    columns = {
        "guess": [min(node, codes - 1) % 2**16 for node in range(nodes)],
        "feedback": [0 if chain else max(0, node - 1) for node in range(nodes)],
        "children": [1] * (nodes - 1) + [0] if chain else [nodes - 1] + [0] * (nodes - 1),
        # Every guess solves a secret, as long as there are any; the first ones solve none.
        "surplus": [min(codes, nodes - node) for node in range(nodes)] if chain else [1] * nodes,
    }
    if chain:
        columns["surplus"] = [s - c for s, c in zip(columns["surplus"], columns["children"])]  # noqa: B905
    document["secrets"] = codes
    return with_tree(document, columns)


def change_words(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Lists of words that lie: repeated, unsorted, of other lengths, no words at all, too many."""
    document = seed.document
    lies = chance.choices(["words", "marks", "length", "rest", "nothing"], k=2)
    lies += ["many"] * (chance.random() < 0.03)
    words = ["crane", "slate", "trace", "crate"]
    odd = ["crane", "cranes", "", "CRANE", "a\x1b[2J", "cr ne", "cafe\u0301", "cafés", "12345"]
    if "words" in lies:
        words.insert(chance.randrange(len(words) + 1), chance.choice(odd))
    if "many" in lies:
        letters = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
        words = [f"{i:012x}".translate(letters) for i in range(MANY)]
    count = len(words)
    marks = chance.choice([0, 4, (1 << count) - 1, 1 << count]) if "marks" in lies else 1
    size = (count + 7) // 8 + ("rest" in lies and chance.choice([-1, 0, 1]))
    document["game"] = {
        "type": "words",
        "length": len(words[0]) + ("length" in lies and chance.choice([-9, -1, 1, 2**40])),
        "scoring": chance.choice(["standard", "loose", "other"] if "rest" in lies else ["loose"]),
        "guesses": chance.choice(["\n", "\r\n", "\u2028"] if "rest" in lies else ["\n"]).join(
            words
        ),
        "secrets": (marks % 256**size).to_bytes(size, "little"),
    }
    document["secrets"] = 1
    tree = {"guess": [chance.choice([0, count - 1, count])]}
    return with_tree(document, tree | {"feedback": [0], "children": [0], "surplus": [1]})


def change_table(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Tables that lie: numbers of no answer, labels that are none, too many of each, no found."""
    document = seed.document
    size = chance.choice([1, 2, 5, 16] + [300] * (chance.random() < 0.1))
    named = chance.random() < 0.5
    answers = chance.choice([2, 3, size + 2, 257, 300])
    cells = [chance.randrange(answers - 1) for _ in range(size * size)]
    for k in range(size if named else 0):
        cells[k * (size + 1)] = answers - 1
    guesses = [f"ask {k}" for k in range(size)] + [f"is {k}" for k in range(0 if named else size)]
    labels = [f"answer {k}" for k in range(answers)]
    given, bits = size, ((1 << size) - 1) << (0 if named else size)
    lies = chance.choices(["cell", "label", "given", "marks", "width", "many", "nothing"], k=2)
    if "cell" in lies:
        cells[chance.randrange(len(cells))] = chance.choice([answers - 1, answers, 255, 65_535])
    if "label" in lies:
        odd = ["", " ", "a  b", "\x1b[2J", "e\u0301", "x" * 101, "\u202e", "=", guesses[0]]
        chance.choice([guesses, labels])[0] = chance.choice(odd)
    if "given" in lies:
        given = chance.choice([0, 1, size + 1, 2**31, 2**63, -1])
    if "marks" in lies:
        bits = chance.choice([0, 1, bits >> 1, 1 << len(guesses), (1 << len(guesses)) - 1])
    if "many" in lies and chance.random() < 0.1:
        labels += [f"more {k}" for k in range(2**16)]
    wide = (answers > 256) != ("width" in lies)
    planes = [bytes([cell >> 8 * k & 255 for cell in cells]) for k in range(1 + wide)]
    count = (len(guesses) + 7) // 8
    document["game"] = {
        "type": "table",
        "guesses": "\n".join(guesses),
        "given": given,
        "secrets": (bits % 256**count).to_bytes(count, "little"),
        "answers": "\n".join(labels),
        "table": b"".join(planes),
        "ballast": b"",
    }
    document["secrets"] = size
    chain = {
        "guess": [k if named else size + k for k in range(size)],
        "feedback": [0] + [chance.choice([0, answers - 2])] * (size - 1),
        "children": [1] * (size - 1) + [0],
        "surplus": [size - k - (k < size - 1) for k in range(size)],
    }
    return with_tree(document, chain)
