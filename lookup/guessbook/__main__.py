"""`python -m guessbook` is the command line, also where its script is not on the path."""

from guessbook.command.main import main

if __name__ == "__main__":
    main()
