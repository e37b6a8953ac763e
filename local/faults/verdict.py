"""What a campaign came to: the items against the orders, and each item by itself."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from local.faults.blows import Hit
from local.faults.clients import Order
from local.faults.judging import DUPLICATED, KINDS, LOST, STUCK, WRONG, Finding, judge
from local.faults.ledger import Ledger
from local.faults.operators import Asked
from local.faults.story import Item, Story


@dataclass(frozen=True, slots=True)
class Evidence:
    """All books of a campaign; ``operations`` over filters are unfinished."""

    items: Sequence[Item]
    orders: Sequence[Order]
    asked: Sequence[Asked]
    ledger: Ledger
    hits: Sequence[Hit]
    operations: int = 0

    def stories(self) -> Iterator[Story]:
        requests = _by_item(self.ledger.requests)
        told = _by_item(self.ledger.told)
        asked = _by_item(self.asked)
        due = {item: order.due for order in self.orders for item in order.items or ()}
        for item in self.items:
            yield Story(
                item=item,
                due=due.get(item.id, 0.0),
                requests=requests[item.id],
                told=told[item.id],
                asked=[*asked[item.id], *asked[None]],
                hits=self.hits,
            )


@dataclass(frozen=True, slots=True)
class Verdict:
    """``said``: what the processes logged about the items that something is wrong with."""

    items: int
    unknown: int
    findings: Sequence[Finding]
    said: Mapping[UUID, Sequence[str]] = field(default_factory=dict[UUID, Sequence[str]])

    def concerned(self) -> set[UUID]:
        """The items that something is wrong with."""
        return {finding.story.item.id for finding in self.findings if finding.story}

    def counts(self) -> dict[str, int]:
        """How much of each kind was found."""
        counted = Counter[str]()
        for finding in self.findings:
            counted[finding.kind] += finding.count
        return {kind: counted[kind] for kind in KINDS}


def reach(evidence: Evidence) -> Verdict:
    """Compare everything with everything."""
    stories = list(evidence.stories())
    findings = [
        *_judge_orders(evidence),
        *_judge_copies(evidence),
        *_judge_strangers(evidence),
        *_judge_operations(evidence),
        *(finding for story in stories for finding in judge(story)),
    ]
    return Verdict(len(stories), sum(story.unknown for story in stories), findings)


def _judge_orders(evidence: Evidence) -> Iterator[Finding]:
    """One order is one item for each receiver, however often it was asked for."""
    rows = Counter(item.order for item in evidence.items if item.copy_of is None)
    for order in evidence.orders:
        number, wanted = str(order.message.number), order.message.receivers
        if order.items is None:
            yield Finding(STUCK, f"order {number}: the client was never answered")
        if rows[number] < wanted:
            missing = wanted - rows[number]
            yield Finding(LOST, f"order {number}: {missing} of {wanted} have no row", None, missing)
        if rows[number] > wanted:
            extra = rows[number] - wanted
            yield Finding(DUPLICATED, f"order {number}: {extra} rows too many", None, extra)
    known = {item.id for item in evidence.items}
    for order in evidence.orders:
        for item in set(order.items or ()) - known:
            yield Finding(LOST, f"order {order.message.number}: item {item} was promised")


def _judge_copies(evidence: Evidence) -> Iterator[Finding]:
    """Each resend that was done has one copy, and nobody else has any."""
    asked = {one.copy for one in evidence.asked if one.copy is not None}
    made = {item.id for item in evidence.items if item.copy_of is not None}
    for copy in asked - made:
        yield Finding(LOST, f"copy {copy} was promised, and has no row")
    for copy in made - asked:
        yield Finding(DUPLICATED, f"copy {copy}: nobody asked for it")


def _judge_strangers(evidence: Evidence) -> Iterator[Finding]:
    known = {item.id for item in evidence.items}
    for item in {request.item for request in evidence.ledger.requests} - known:
        yield Finding(WRONG, f"item {item} reached a provider, and has no row")


def _judge_operations(evidence: Evidence) -> Iterator[Finding]:
    if count := evidence.operations:
        yield Finding(STUCK, f"{count} operations over filters never ended", None, count)


def _by_item[T](things: Iterable[T]) -> Mapping[UUID | None, list[T]]:
    found: dict[UUID | None, list[T]] = defaultdict(list)
    for thing in things:
        found[thing.item].append(thing)  # type: ignore[attr-defined]
    return found
