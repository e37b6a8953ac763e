"""The workflow as a picture, with the way that an item took: drawn from the table of moves."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.workflow import MOVES, Kind, State

WIDTH, HEIGHT = 136.0, 38.0
STEP_X, STEP_Y = 192.0, 78.0
MARGIN_X, MARGIN_Y = 70.0, 62.0
HEAD = 7.0

S = State
PLACES = {
    S.QUEUED: (0, 0),
    S.SENDING: (1, 0),
    S.AWAITING: (2, 0),
    S.SUCCEEDED: (3, 0),
    S.DELAYED: (1, 1),
    S.UNCONFIRMED: (3, 1),
    S.CANCELLED: (0, 2),
    S.ERRORED: (2, 2),
}
"""Column and row of each state."""

BENDS = {
    (S.SENDING, S.SUCCEEDED): -88.0,
    (S.SENDING, S.DELAYED): 14.0,
    (S.DELAYED, S.SENDING): 14.0,
    (S.SENDING, S.ERRORED): -18.0,
    (S.QUEUED, S.ERRORED): 112.0,
    (S.ERRORED, S.QUEUED): -156.0,
    (S.DELAYED, S.QUEUED): 16.0,
}
"""How far a line leaves the straight way, in order not to cross a state or another line."""

type Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    x: float
    y: float
    kind: str


@dataclass(frozen=True, slots=True)
class Line:
    path: str
    head: str
    gone: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    nodes: list[Node]
    lines: list[Line]
    told: str
    width: float = MARGIN_X * 2 + STEP_X * 3
    height: float = MARGIN_Y + STEP_Y * 2 + 34


def draw(now: str, way: Iterable[tuple[str | None, str | None]]) -> Drawing:
    """``way``: the states that the item went from and to, in their order."""
    gone = [(State(a), State(b)) for a, b in way if a and b and a != b]
    been = {state for move in gone for state in move} | {State(now), State.QUEUED}
    moves = dict.fromkeys((m.source, m.target) for m in MOVES if m.kind is Kind.NORMAL)
    others = [move for move in moves if move not in gone]
    lines = [*_lines(others, gone=False), *_lines(dict.fromkeys(gone), gone=True)]
    return Drawing([_node(state, now, been) for state in State], lines, _tell(now, gone))


def _tell(now: str, gone: list[tuple[State, State]]) -> str:
    states = [gone[0][0], *(target for _, target in gone)] if gone else [State(now)]
    return f"Its way: {', '.join(states)}. It is {now} now."


def _node(state: State, now: str, been: set[State]) -> Node:
    x, y = _centre(state)
    kind = "been now" if state == now else "been" if state in been else ""
    return Node(state, x - WIDTH / 2, y - HEIGHT / 2, kind)


def _centre(state: State) -> Point:
    column, row = PLACES[state]
    return MARGIN_X + column * STEP_X, MARGIN_Y + row * STEP_Y


def _lines(moves: Iterable[tuple[State, State]], *, gone: bool) -> Iterator[Line]:
    for source, target in moves:
        start, end = _centre(source), _centre(target)
        bend = _bend(start, end, BENDS.get((source, target), 0.0))
        begin, tip = _border(start, bend), _border(end, bend)
        path = f"M{_at(begin)} Q{_at(bend)} {_at(tip)}"
        yield Line(path, _head(bend, tip), gone)


def _bend(start: Point, end: Point, by: float) -> Point:
    (ax, ay), (bx, by_) = start, end
    length = math.hypot(bx - ax, by_ - ay)
    across = ((by_ - ay) / length, -(bx - ax) / length)
    return (ax + bx) / 2 - across[0] * by, (ay + by_) / 2 - across[1] * by


def _border(centre: Point, towards: Point) -> Point:
    """Where the line from the middle of a state leaves it."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scales = [half / abs(d) for half, d in ((WIDTH / 2 + 3, dx), (HEIGHT / 2 + 3, dy)) if d]
    scale = min(scales)
    return centre[0] + dx * scale, centre[1] + dy * scale


def _head(bend: Point, tip: Point) -> str:
    angle = math.atan2(tip[1] - bend[1], tip[0] - bend[0])
    sides = [
        (tip[0] - HEAD * math.cos(angle + turn), tip[1] - HEAD * math.sin(angle + turn))
        for turn in (0.45, -0.45)
    ]
    return f"M{_at(tip)} L{_at(sides[0])} L{_at(sides[1])} Z"


def _at(point: Point) -> str:
    return f"{point[0]:.0f},{point[1]:.0f}"
