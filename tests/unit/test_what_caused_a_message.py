"""Origins of any kind, with keys of any type."""

import uuid
from dataclasses import dataclass

import pytest

from app.items.origins import NO_ORIGIN, check_origin
from app.items.refusals import Refused
from app.models.receiver import Receiver

KEY = uuid.uuid7()


@dataclass
class Order:
    id: object


@pytest.mark.parametrize(
    ("origin", "kept"),
    [
        (("order", 2**40), ("order", str(2**40))),
        (("order", KEY), ("order", str(KEY))),
        (["order", "A-7"], ("order", "A-7")),
        (("order", 0), ("order", "0")),
        (Order(2**40), ("Order", str(2**40))),
        (Receiver(id=KEY, name="Anna"), ("app.models.receiver.Receiver", str(KEY))),
    ],
)
def test_an_origin_is_kept_as_type_and_id(origin: object, kept: tuple[str, str]) -> None:
    """Field report 89."""
    assert check_origin(origin) == kept


def test_a_message_needs_no_origin() -> None:
    assert check_origin(None) == NO_ORIGIN


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Order(None), "store it first"),
        (Receiver(name="Anna"), "store it first"),
        (("order", ""), "store it first"),
        (("", 1), "type"),
        (("order", "x" * 256), "255"),
        (("order",), "pair"),
        ("order", "pair"),
        ({"type": "order"}, "pair"),
        ((7, 1), "text"),
    ],
)
def test_what_names_no_record_is_refused(origin: object, words: str) -> None:
    with pytest.raises(Refused, match=words):
        check_origin(origin)
