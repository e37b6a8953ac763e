"""Queue and sent items: lists, search, one item, and what can be done with it."""
