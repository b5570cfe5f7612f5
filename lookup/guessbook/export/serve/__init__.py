"""The server: a book behind HTTP on this machine."""
