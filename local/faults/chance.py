"""Chance that the seed decides."""

import random


def chance_of(seed: int, *subject: object) -> random.Random:
    """What is left to chance about a subject: the same in each campaign with this seed."""
    return random.Random(" ".join(map(str, (seed, *subject))))  # noqa: S311 - it guards nothing
