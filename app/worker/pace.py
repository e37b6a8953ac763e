"""How often the worker does what it does by itself, in seconds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """A dead worker's messages are taken over after ``abandoned`` + ``look`` seconds at most: 25.

    A message is abandoned when four heartbeats in a row are missing.
    """

    heartbeat: float = 5.0
    abandoned: float = 20.0
    look: float = 5.0
    block: float = 2.0
    """How long one read waits for a message; it is cut short when the worker stops."""
    release: float = 10.0
    """The longest wait between two looks for released jobs; it is told of those of this process."""
    last_words: float = 10.0
    """What a job that is cancelled at the end of the drain has to write down what it knows."""


DELIVERIES = 10
"""How often a message is tried before it counts as poison."""
EXPIRED = 3600.0
"""A consumer that was silent for so long and holds nothing is removed."""
