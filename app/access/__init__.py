"""Who may do what: permissions, the people and tokens that have them, and what bounds a token."""
