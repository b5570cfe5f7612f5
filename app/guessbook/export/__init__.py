"""Export of books as scripts, HTML pages, C headers, data and pictures, usable without Guessbook."""
