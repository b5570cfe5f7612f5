"""One module for each kind of game: it makes the arrays with which the engine scores and ranks guesses."""
