"""The installation: its version, and how to install an extra."""

# The extra that brings a module, by the name that an import asks for.
EXTRAS = {
    **dict.fromkeys(("typer", "rich"), "cli"),
    **dict.fromkeys(("numpy", "filelock"), "build"),
    **dict.fromkeys(("distributed", "dask"), "cluster"),
    **dict.fromkeys(("starlette", "uvicorn", "anyio"), "serve"),
    "english_words": "words",
}
# The extra of a command that needs more than `cli`, which each of these includes.
COMMANDS = {"build-book": "build", "compare": "build", "serve": "serve", "words": "words"}


def version() -> str:
    """Return the installed version, or a note if nothing is installed."""
    from importlib import metadata  # late: it loads the parser of e-mails

    try:
        return metadata.version("guessbook")
    except metadata.PackageNotFoundError:
        return "(run from its source, not installed)"


def citation() -> str:
    """Return how to cite the installed version, as a line and for BibTeX."""
    from importlib import metadata  # late, as in `version`

    try:
        known = metadata.metadata("guessbook")
    except metadata.PackageNotFoundError:
        return f"Guessbook {version()}: its file CITATION.cff says how to cite it"
    title, author, summary = known["Name"].capitalize(), known["Author"], known["Summary"]
    return (
        f"{author}. {title}, version {known['Version']}. {summary}. Software, license "
        f"{known['License-Expression']}.\n\n"
        f"@software{{{known['Name']},\n"
        f"  author = {{{{{author}}}}},\n"
        f"  title = {{{title}}},\n"
        f"  version = {{{known['Version']}}},\n"
        f"  note = {{{summary}}}\n"
        "}\n\n"
        "Say which game and policy a book is of: with the version they make the same book again."
    )


def install(extra: str) -> str:
    """Return how to install an extra, for the end of a message."""
    return f'pip install ".[{extra}]" in a clone, or "WHEEL[{extra}]"'


def missing(module: str | None, command: str = "") -> str | None:
    """Return the message for a missing module, with its extra; None if no extra has it.

    If `cli` is missing, the message names the extra of the command, which includes it.

    >>> print(missing("typer.core"))
    typer is not installed; get it with: pip install ".[cli]" in a clone, or "WHEEL[cli]"
    """
    name = (module or "").partition(".")[0]
    extra = EXTRAS.get(name)
    if extra is None:
        return None
    if extra == "cli":
        extra = COMMANDS.get(command, extra)
    return f"{name} is not installed; get it with: {install(extra)}"
