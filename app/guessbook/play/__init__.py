"""Games in progress: sessions, ratings of guesses, reviews of games, and opponents."""
