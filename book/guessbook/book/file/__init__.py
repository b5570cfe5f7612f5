"""The package that reads and writes book files: container, content, compression and disk access."""
