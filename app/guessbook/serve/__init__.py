"""The HTTP server that answers questions about a book, on this machine only."""
