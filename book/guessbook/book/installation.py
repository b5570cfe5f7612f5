"""The installation: which version it is, and how to get what an extra brings."""

from __future__ import annotations

# The extra that brings a module, by the name that an import asks for.
EXTRAS = {
    **dict.fromkeys(("typer", "rich"), "cli"),
    **dict.fromkeys(("numpy", "filelock"), "build"),
    **dict.fromkeys(("distributed", "dask"), "cluster"),
    **dict.fromkeys(("starlette", "uvicorn", "anyio"), "serve"),
    "english_words": "words",
}
# The extra that a command needs which does more than the others: each of these brings `cli`.
COMMANDS = {"build-book": "build", "compare": "build", "serve": "serve", "words": "words"}


def version() -> str:
    """The version that is installed; where nothing is, it says that this runs from its source."""
    # Late, as it loads the parser of e-mails.
    from importlib import metadata

    try:
        return metadata.version("guessbook")
    except metadata.PackageNotFoundError:
        return "(run from its source, not installed)"


def citation() -> str:
    """Return how to cite what is installed, as a line and for BibTeX; else where that is said."""
    # Late, as it loads the parser of e-mails.
    from importlib import metadata

    try:
        known = metadata.metadata("guessbook")
    except metadata.PackageNotFoundError:
        return f"Guessbook {version()}: its file CITATION.cff says how to cite it"
    title, author, summary = known["Name"].capitalize(), known["Author"], known["Summary"]
    return (
        f"{author}. {title}, version {known['Version']}. {summary}. Software, license "
        f"{known['License-Expression']}.\n"
        "\n"
        f"@software{{{known['Name']},\n"
        f"  author = {{{{{author}}}}},\n"
        f"  title = {{{title}}},\n"
        f"  version = {{{known['Version']}}},\n"
        f"  note = {{{summary}}}\n"
        "}\n"
        "\n"
        "Say which game and policy a book is of: with the version they make the same book again."
    )


def install(extra: str) -> str:
    """How to install an extra, for the end of a message.

    >>> print(install("build"))
    pip install ".[build]" in a clone, or "WHEEL[build]"
    """
    return f'pip install ".[{extra}]" in a clone, or "WHEEL[{extra}]"'


def missing(module: str | None, command: str = "") -> str | None:
    """What to say of a module that is not there, and which extra brings it; None if none does.

    >>> print(missing("typer.core"))
    typer is not installed; get it with: pip install ".[cli]" in a clone, or "WHEEL[cli]"

    Args:
        module: its name.
        command: what it is missing for; where all extras are missing, its own brings the others.
    """
    name = (module or "").partition(".")[0]
    extra = EXTRAS.get(name)
    if extra is None:
        return None
    if extra == "cli":
        extra = COMMANDS.get(command, extra)
    return f"{name} is not installed; get it with: {install(extra)}"
