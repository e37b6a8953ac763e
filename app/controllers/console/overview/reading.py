"""The numbers of the overview, read once for all who look within two seconds."""

import asyncio
import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.controllers.console.words import METHODS, number
from app.items import pause
from app.models.queries import channels, gauges, overview
from app.models.queries.channels import Paused
from app.models.queries.overview import BINS
from app.models.statements import Row

FRESH = 2.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """``counts`` by state and method, each capped at :data:`gauges.MOST`. ``moves``: how many items
    came to a state, a number for each bin, the oldest first. ``None`` where counting took too long.
    """

    counts: Mapping[tuple[str, str], int] | None
    errored: Mapping[str, int]
    oldest: Mapping[str, float]
    letters: int
    orphans: int
    workers: Sequence[Row]
    moves: Mapping[str, list[int]] | None
    providers: Mapping[str, Row]
    wrong: Sequence[Row]
    paused: Sequence[Paused]
    channels: Sequence[str]
    slow: bool = False

    def count(self, states: Iterable[str], methods: Iterable[str] = METHODS) -> str:
        """How many items are one of these, with a plus where there are more."""
        if self.counts is None:
            return "?"
        found = [self.counts.get((s, m), 0) for s, m in itertools.product(states, methods)]
        return number(sum(found)) + ("+" if max(found, default=0) >= gauges.MOST else "")

    @property
    def alive(self) -> int:
        return sum(worker["silent"] <= gauges.ALIVE for worker in self.workers)


@dataclass(slots=True)
class _Kept:
    numbers: Numbers | None = None
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


_kept: dict[asyncio.AbstractEventLoop, _Kept] = {}


async def read() -> Numbers:
    loop = asyncio.get_running_loop()
    for other in [one for one in _kept if one.is_closed()]:
        del _kept[other]
    kept = _kept.setdefault(loop, _Kept())
    async with kept.lock:
        if kept.numbers is None or time.monotonic() >= kept.until:
            kept.numbers = await _read()
            kept.until = time.monotonic() + FRESH
        return kept.numbers


def forget() -> None:
    """What was read: somebody changed what it says."""
    _kept.clear()


async def _read() -> Numbers:
    found = await gauges.read()
    moves = await overview.count_moves()
    providers = await overview.measure_providers()
    wrong = await overview.list_went_wrong()
    readings: dict[str, dict[tuple[str, ...], float]] = defaultdict(dict)
    for gauge, labels, value in found or []:
        readings[gauge][labels] = value
    return Numbers(
        counts=None if found is None else _counts(readings["items"]),
        errored={labels[0]: int(value) for labels, value in readings["errored"].items() if value},
        oldest={labels[0]: value for labels, value in readings["oldest_waiting"].items() if value},
        letters=int(readings["dead_letters"].get((), 0)),
        orphans=int(readings["reports_unapplied"].get(("orphan",), 0)),
        workers=await overview.list_workers(),
        moves=None if moves is None else _in_bins(moves),
        providers={row["provider"]: row for row in providers or []},
        wrong=wrong or [],
        paused=await channels.find_paused(),
        channels=pause.names(),
        slow=any(one is None for one in (found, moves, providers, wrong)),
    )


def _counts(items: Mapping[tuple[str, ...], float]) -> dict[tuple[str, str], int]:
    return {(state, method): int(value) for (state, method), value in items.items()}


def _in_bins(rows: Sequence[Row]) -> dict[str, list[int]]:
    bins: dict[str, list[int]] = defaultdict(lambda: [0] * BINS)
    for row in rows:
        if 0 <= row["behind"] < BINS:
            bins[row["state"]][BINS - 1 - row["behind"]] += row["count"]
    return bins
