"""Games: what every game offers, codes, words, and the games that people know by name."""
