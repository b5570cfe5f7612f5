"""Questions about a book, answered by an HTTP server on this machine, or line by line."""
