"""A campaign compares what was asked for with what there is, besides judging each item."""

import uuid
from dataclasses import replace
from uuid import UUID

from local.faults.clients import Order
from local.faults.ledger import Ledger
from local.faults.operators import Asked
from local.faults.plan import Message
from local.faults.verdict import Evidence, reach
from tests.unit.campaign.given import ITEM, asked, attempt, by_person, request, sent, told

STORY = sent()


def order(number: int = 7, receivers: int = 1, items: list[UUID] | None = None) -> Order:
    message = Message(0.0, number, "postmark", receivers, "default", 0)
    return Order(message, items=[ITEM] if items is None else items)


def evidence(*orders: Order, **fields: object) -> Evidence:
    """One item that was sent, and books in which everything about it stands."""
    ledger = Ledger()
    ledger.requests += STORY.requests
    ledger.told += STORY.told
    row = replace(STORY.item, order="7")
    found = Evidence([row], orders or [order()], [], ledger, [])
    return replace(found, **fields)


def counts(of: Evidence) -> dict[str, int]:
    return {kind: count for kind, count in reach(of).counts().items() if count}


def test_nothing_is_found_where_everything_agrees() -> None:
    reached = reach(evidence())
    assert (reached.items, reached.unknown, reached.findings) == (1, 0, [])


def test_order_without_a_row_is_lost() -> None:
    assert counts(evidence(order(), order(8, items=[]))) == {"lost": 1}
    assert counts(evidence(order(receivers=2))) == {"lost": 1}


def test_item_that_was_promised_and_is_not_there_is_lost() -> None:
    assert counts(evidence(order(items=[ITEM, uuid.uuid7()]))) == {"lost": 1}


def test_order_with_two_rows_is_a_duplicate() -> None:
    again = replace(STORY.item, id=uuid.uuid7(), order="7", state="cancelled")
    rows = [*evidence().items, again]
    assert counts(evidence(items=rows))["duplicated"] == 1


def test_client_that_was_never_answered_is_stuck() -> None:
    waiting = order()
    waiting.items = None
    assert counts(evidence(waiting)) == {"stuck": 1}


def test_copy_that_nobody_asked_for_is_a_duplicate_and_one_that_is_missing_is_lost() -> None:
    copy = replace(STORY.item, copy_of=uuid.uuid7())
    assert counts(evidence(order(8, 0, []), items=[copy])) == {"duplicated": 1}
    promised = Asked(1.0, "resend", uuid.uuid7(), True, 200, copy.id)
    assert counts(evidence(order(8, 0, []), items=[copy], asked=[promised])) == {}
    assert counts(evidence(asked=[replace(promised, copy=uuid.uuid7())])) == {"lost": 1}


def test_operation_that_never_ends_is_stuck() -> None:
    assert counts(evidence(operations=2)) == {"stuck": 2}


def test_decision_about_all_is_one_about_each() -> None:
    again = attempt(2)
    moves = (*STORY.item.moves, by_person("retry"))
    row = replace(
        STORY.item, order="7", moves=moves, attempts=(*STORY.item.attempts, again), attempt=again.id
    )
    books = evidence(items=[row])
    books.ledger.requests.append(request(again))
    books.ledger.told.append(told(books.ledger.requests[-1], "delivered"))
    assert counts(books) == {"duplicated": 1}
    assert counts(replace(books, asked=[replace(asked("retry"), item=None)])) == {}


def test_message_without_an_item_is_a_finding() -> None:
    books = evidence()
    books.ledger.requests.append(replace(STORY.requests[0], item=uuid.uuid7()))
    assert counts(books) == {"wrongly_final": 1}


def test_each_item_is_judged_by_what_is_in_the_books_about_it() -> None:
    books = evidence(asked=[asked("cancel")])
    books.ledger.requests.append(request(STORY.item.attempts[0]))
    assert counts(books) == {"duplicated": 1}
