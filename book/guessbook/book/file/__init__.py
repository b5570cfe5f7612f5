"""The book file: its container, its content, its compression, and the disk."""
