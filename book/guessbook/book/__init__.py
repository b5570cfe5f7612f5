"""The contents of a book: games with their rules, the strategy tree, and the book file."""
