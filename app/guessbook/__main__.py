"""Entry point of `python -m guessbook`, for when the script `guessbook` is not on the path."""

from guessbook.command.main import main

if __name__ == "__main__":
    main()
