"""Growth: the construction of a whole strategy tree from tasks, from the root down to the last guesses."""
