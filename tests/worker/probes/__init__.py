"""Throw-away jobs, which take the place of those in ``app/jobs``."""
