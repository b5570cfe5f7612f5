"""Books that give hints: the next guess, from the book, from an equivalent history, or from a computation."""
