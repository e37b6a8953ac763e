"""All that is known of one item, in the order of time."""

from collections.abc import Iterator
from datetime import UTC, datetime

from local.faults.story import Story

AROUND_S = 5.0
"""Blows so long before and after an item's life are shown as well."""

type Line = tuple[float, str]


def draw(story: Story) -> list[str]:
    """One line for each thing that happened to an item, or close to it."""
    lines = sorted(_item(story))
    first, last = lines[0][0] - AROUND_S, lines[-1][0] + AROUND_S
    hits = [
        (hit.at, f"hit       {hit.target}: {hit.how}, for {hit.until - hit.at:.1f} s")
        for hit in story.hits
        if hit.until > first and hit.at < last
    ]
    return [f"{clock(at)}  {text}" for at, text in sorted([*lines, *hits])]


def clock(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S.%f")[:-3]


def _item(story: Story) -> Iterator[Line]:
    item = story.item
    yield item.queued, f"item      {item.id} queued: {item.method} by {item.channel}"
    yield from _rows(story)
    yield from _providers(story)
    last = max((move.at for move in item.moves), default=item.queued) + AROUND_S
    for one in story.asked:
        if item.queued <= one.at <= last:
            yield one.at, f"operator  {one.what}, confirm={one.confirm}: HTTP {one.status}"


def _rows(story: Story) -> Iterator[Line]:
    for attempt in story.item.attempts:
        number = attempt.number
        yield attempt.started, f"attempt   {number} began ({attempt.id})"
        mark = ", may have been sent" if attempt.doubtful else ""
        said = f"{attempt.outcome}{mark}, reported {attempt.report}: {attempt.text[:100]}"
        yield attempt.ended or attempt.started, f"attempt   {number} ended: {said}"
    for move in story.item.moves:
        yield move.at, f"row       {move.transition} by {move.actor}: {move.before} → {move.after}"
    for event in story.item.events:
        yield event.at, f"event     {event.status}: {event.verdict}"


def _providers(story: Story) -> Iterator[Line]:
    for request in story.requests:
        name = request.provider
        treatment = request.treatment
        taken = "takes it" if treatment.takes else "does not take it"
        yield request.at, f"{name:9} hears from {request.worker}; {taken}, {treatment.reply}"
        if request.taken is not None:
            yield request.taken, f"{name:9} took it"
        if request.answered is not None:
            yield request.answered, f"{name:9} answered"
    for told in story.told:
        for at, status in told.answers:
            yield at, f"report    {told.name}: HTTP {status}"
