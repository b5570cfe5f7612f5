"""The prompt: one line from a person, or from a pipe."""

import sys
from contextlib import suppress


def ask(question: str) -> str | None:
    """Return the line typed at a prompt, without blanks around it; None at the end of the input.

    In a pipe the answer is written after the question, so that the output reads like a screen.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    if screen:
        with suppress(ImportError):  # not every Python has it
            import readline  # noqa: F401  the arrow keys then edit the line
    try:
        line = input(question)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
    if not screen:
        print(line)
    return line.strip()
