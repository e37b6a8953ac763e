"""Plots, drawn here: bars over time, and a line so small that it fits into a tile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 960, 220
LEFT, BOTTOM, TOP = 44, 24, 12
STEPS = (1, 2, 5)
OUTCOMES = ("succeeded", "unconfirmed", "cancelled", "errored")
"""From the bottom of a bar to its top."""


@dataclass(frozen=True, slots=True)
class Bar:
    state: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Rule:
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    bars: list[Bar]
    rules: list[Rule]
    totals: dict[str, int]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    ground: int = HEIGHT - BOTTOM


def stack(moves: Mapping[str, Sequence[int]], bins: int) -> Plot:
    """Outcomes over time, one upon the other."""
    series = {state: moves.get(state) or [0] * bins for state in OUTCOMES}
    most = max((sum(one[n] for one in series.values()) for n in range(bins)), default=0)
    step = nice_step(most)
    top = step * max(1, -(-most // step))
    scale = (HEIGHT - BOTTOM - TOP) / top
    slot = (WIDTH - LEFT - 8) / bins
    bars: list[Bar] = []
    for number in range(bins):
        ground = float(HEIGHT - BOTTOM)
        for state, counts in series.items():
            if height := counts[number] * scale:
                ground -= height
                bars.append(Bar(state, LEFT + number * slot + 1, ground, slot - 3, height))
    rules = [Rule(HEIGHT - BOTTOM - n * scale, f"{n:,}") for n in range(0, top + 1, step)]
    return Plot(bars, rules, {state: sum(counts) for state, counts in series.items()})


def nice_step(most: int) -> int:
    """The distance of about four lines: 1, 2 or 5 times a power of ten."""
    size = 1
    while True:
        for step in STEPS:
            if step * size * 4 >= most:
                return step * size
        size *= 10


def spark(counts: Sequence[int], width: int = 120, height: int = 26) -> str:
    """The path of a line from left to right."""
    most = max(counts, default=0) or 1
    step = width / max(1, len(counts) - 1)
    points = [
        f"{n * step:.0f},{height - 2 - (height - 4) * count / most:.1f}"
        for n, count in enumerate(counts)
    ]
    return "M" + " L".join(points)
