"""Books as files that need no Guessbook: scripts, HTML pages, C headers, data and pictures."""
