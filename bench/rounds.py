"""Rounds of ours and of the floor, one after the other, so that both see the same machine."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from bench.cost import Reading


@dataclass(frozen=True, slots=True)
class Round:
    """What it took to send ``items``. ``seconds``: from the first claim to the last record."""

    items: int
    seconds: float
    cost: Reading
    rss_mib: float

    @property
    def figures(self) -> dict[str, float]:
        return {
            "items_per_s": self.items / self.seconds,
            "cpu_ms_per_item": 1000 * (self.cost.cpu_s + self.cost.postgres_s) / self.items,
            "worker_ms_per_item": 1000 * self.cost.cpu_s / self.items,
            "postgres_ms_per_item": 1000 * self.cost.postgres_s / self.items,
            "statements_per_item": self.cost.statements / self.items,
            "round_trips_per_item": self.cost.round_trips / self.items,
            "rss_mib": self.rss_mib,
        }


def medians(rounds: Sequence[Round]) -> dict[str, float]:
    """Of each figure."""
    figures = [one.figures for one in rounds]
    return {name: statistics.median(one[name] for one in figures) for name in figures[0]}
