"""Growth: the construction of a whole strategy tree, divided into tasks, from the root down to the last guesses."""
