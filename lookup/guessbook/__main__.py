"""Run the command line as `python -m guessbook`, even if the script `guessbook` is not on the path."""

from guessbook.command.main import main

if __name__ == "__main__":
    main()
