"""What sending answers: ids, and where to look at what becomes of them."""

from collections.abc import Iterable
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from app.items.writing import Composed
from app.models.queries.compose_email import NewEmail

type Method = Literal["email", "sms"]


class Links(Struct):
    """Where it is."""

    self: Annotated[str, Meta(description="Its address, below the API's host.")]


class QueuedItem(Struct):
    """An item that was queued: one message to one receiver."""

    id: UUID
    receiver: Annotated[
        str, Meta(description="The field of the request that names its receiver, as `to.0`.")
    ]
    links: Links


class Queued(Struct):
    """A message that was queued, with an item for each of its receivers, in their order.

    An address that is named twice gets one item, in its first role.
    """

    id: UUID
    method: Method
    items: list[QueuedItem]
    links: Links


class FieldError(Struct):
    """What is wrong with a field, and how to mend it."""

    field: str
    message: str


class Result(Struct, omit_defaults=True):
    """What came of one message of a batch: `message` at 202, otherwise `errors`."""

    status: Annotated[
        Literal[202, 403, 422], Meta(description="What the message alone would be answered with.")
    ]
    message: Queued | None = None
    errors: list[FieldError] | None = None


class Results(Struct):
    """What came of each message of a batch, in their order."""

    accepted: Annotated[int, Meta(ge=1, description="How many messages were queued.")]
    refused: Annotated[int, Meta(ge=0, description="How many were not; see their `errors`.")]
    results: list[Result]


def queued(message: Composed) -> Queued:
    """What a message that is about to be written will be known as."""
    method: Method = "email" if isinstance(message.content, NewEmail) else "sms"
    return Queued(
        message.content.id,
        method,
        [QueuedItem(key, place, item_link(key)) for key, place in places(message)],
        message_link(method, message.content.id),
    )


def places(message: Composed) -> Iterable[tuple[UUID, str]]:
    if not isinstance(message.content, NewEmail):
        return [(message.content.item_id, "receiver")]
    return [(box.item_id, box.place) for box in message.content.mailboxes if box.item_id]


def item_link(key: UUID) -> Links:
    return Links(f"/api/queue-items/{key}")


def message_link(method: Method, key: UUID) -> Links:
    return Links(f"/api/{'emails' if method == 'email' else 'sms'}/{key}")


def field_errors(errors: dict[str, list[str]]) -> list[FieldError]:
    return [FieldError(field, text) for field, texts in errors.items() for text in texts]
