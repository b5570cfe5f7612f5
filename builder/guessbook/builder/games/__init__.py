"""One module for each kind of game: it turns the game into arrays, with which the engine scores and ranks guesses."""
