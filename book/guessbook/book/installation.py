"""The installation: its version, citation, extras (optional dependencies) and physical memory."""

import os
import sys
from contextlib import suppress

# The year of this version, as in LICENSE.
YEAR = 2026
NO_ADDRESS = "This version does not record the address of its repository; add the address from which you got it. "

# Map from the name of a module, as in an import, to the extra that installs it.
EXTRAS = {
    **dict.fromkeys(("typer", "rich"), "cli"),
    **dict.fromkeys(("numpy", "filelock"), "build"),
    **dict.fromkeys(("distributed", "dask"), "cluster"),
    **dict.fromkeys(("starlette", "uvicorn", "anyio"), "serve"),
    **dict.fromkeys(("spylls", "wordfreq"), "words"),
    "python_calamine": "sheets",
}
# Map from each command that needs more than `cli` to the extra that it needs, which includes `cli`.
COMMANDS = {"build-book": "build", "compare": "build", "serve": "serve", "words": "words"}


def version() -> str:
    """Return the version of the installed package, or a note that the package is not installed."""
    from importlib import metadata  # late import: it loads the e-mail parser, which takes time

    try:
        return metadata.version("guessbook")
    except metadata.PackageNotFoundError:
        return "(run from its source, not installed)"


def citation() -> str:
    """Return the citation of the installed version, as a line of text and as a BibTeX entry."""
    from importlib import metadata  # late import, as in `version`

    try:
        known = metadata.metadata("guessbook")
    except metadata.PackageNotFoundError:
        return f"Guessbook {version()}: its file CITATION.cff says how to cite it"
    # The text of an address is "Label, https://...".
    address = next(iter(known.get_all("Project-URL") or ()), "").rpartition(" ")[2]
    if address:
        place, where = f"{address}. ", f"  url = {{{address}}},\n"
    else:
        place, where = "", ""
    title, author, summary = known["Name"].capitalize(), known["Author"], known["Summary"]
    return (
        f"{author}. {title}, version {known['Version']}, {YEAR}. {summary}. {place}Software, license "
        f"{known['License-Expression']}.\n\n"
        f"@software{{{known['Name']},\n"
        f"  author = {{{{{author}}}}},\n"
        f"  title = {{{title}}},\n"
        f"  version = {{{known['Version']}}},\n"
        f"  year = {{{YEAR}}},\n"
        f"{where}"
        f"  note = {{{summary}}}\n"
        "}\n\n"
        + ("" if address else NO_ADDRESS)
        + "Also name the game and the policy of a book: together with the version, they reproduce it."
    )


def install(extra: str) -> str:
    """Return the pip command that installs an extra, as the end of an error message."""
    return f'pip install ".[{extra}]" in a clone, or "WHEEL[{extra}]" with the path of a wheel'


def missing_extra(module: str | None, command: str = "") -> str | None:
    """Return an error message that says how to install a missing module; None if no extra does.

    `command` is the command that needs the module, and decides which extra the message names.

    >>> print(missing_extra("typer.core"))
    typer is not installed; get it with: pip install ".[cli]" in a clone, or "WHEEL[cli]" with the path of a wheel
    """
    name = (module or "").partition(".")[0]
    extra = EXTRAS.get(name)
    if extra is None:
        return None
    if extra == "cli":  # the command may need a larger extra, which includes `cli`
        extra = COMMANDS.get(command, extra)
    return f"{name} is not installed; get it with: {install(extra)}"


def physical_memory(cgroup: str = "/sys/fs/cgroup") -> int:
    """Return this machine's memory in bytes, or the container's limit if it is lower.

    The result is 2^62 if both are unknown.
    """
    memory = 1 << 62
    if sys.platform != "win32":
        with suppress(AttributeError, OSError, ValueError):
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # The files with the memory limit of a Linux container, for versions 2 and 1 of cgroups. Without
    # a limit, they contain "max" or a huge number.
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(os.path.join(cgroup, name), "rb") as file:  # noqa: PTH118, PTH123
            memory = min(memory, int(file.read(32)))
    return memory
