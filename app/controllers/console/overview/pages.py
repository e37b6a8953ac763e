"""The overview."""

from dataclasses import dataclass

from app.controllers.console.overview import plots
from app.controllers.console.overview.health import judge
from app.controllers.console.overview.reading import Numbers, read
from app.controllers.console.page import Answer, Page, Show, Visit
from app.items.error_texts import TEXTS
from app.models.queries.gauges import ALIVE
from app.models.queries.overview import BIN, BINS
from app.models.statements import Row
from app.workflow import DONE, State

NEEDED = ("list_queueitem",)
ADDRESS = "/console/overview"


@dataclass(frozen=True, slots=True)
class Tile:
    """A state, how many items it has, and how many came to it over the last hour."""

    state: str
    count: str
    came: int
    line: str
    address: str


@dataclass(frozen=True, slots=True)
class Health:
    """A channel; ``row`` is ``None`` where nothing was sent through it in the last hour."""

    name: str
    paused: bool
    row: Row | None

    @property
    def share(self) -> str:
        return f"{self.row['accepted'] / self.row['attempts']:.1%}" if self.row else ""


async def show(_visit: Visit) -> Answer:
    numbers = await read()
    moves = numbers.moves or {}
    paused = {channel.name for channel in numbers.paused}
    names = sorted({*numbers.channels, *numbers.providers})
    return Show(
        "overview",
        {
            "verdict": judge(numbers),
            "tiles": [_tile(state, numbers) for state in State],
            "plot": plots.stack(moves, BINS),
            "outcomes": plots.OUTCOMES,
            "table": _table(numbers),
            "numbers": numbers,
            "kinds": TEXTS,
            "alive_s": ALIVE,
            "health": [Health(n, n in paused, numbers.providers.get(n)) for n in names],
        },
    )


def _tile(state: State, numbers: Numbers) -> Tile:
    came = (numbers.moves or {}).get(state) or [0] * BINS
    list_of = "sent" if state in DONE else "queue"
    address = f"/console/{list_of}?state={state}"
    return Tile(state, numbers.count([state]), sum(came), plots.spark(came), address)


def _table(numbers: Numbers) -> list[tuple[str, list[int]]]:
    """What the plot shows, a row for each ten minutes."""
    moves, width = numbers.moves or {}, 5
    minutes = int(BIN.total_seconds() // 60)
    rows: list[tuple[str, list[int]]] = []
    for first in range(0, BINS, width):
        begin = (BINS - first) * minutes
        counts = [sum((moves.get(s) or [])[first : first + width]) for s in plots.OUTCOMES]
        rows.append((f"{begin} to {begin - width * minutes} min ago", counts))
    return rows


PAGES = (Page(ADDRESS, show, NEEDED),)
