"""Games: their common interface, the kinds of games (codes, words and tables), and the presets."""
