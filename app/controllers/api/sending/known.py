"""People that the messages of a batch name by ids, read in one statement for all of them."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from app.controllers.api.sending.messages import EmailDraft, Message, SmsDraft
from app.models.queries import compose
from app.models.receiver import Receiver
from app.models.sender import Sender

type Known = Mapping[tuple[bool, UUID], Sender | Receiver]
"""Rows by their ids; true stands for senders."""


async def find_named(messages: Iterable[Message]) -> Known:
    """Whoever is named and exists; the others are told of by the check of their message."""
    named = {place for message in messages for place in named_in(message)}
    if not named:
        return {}
    senders = sorted(key for of_senders, key in named if of_senders)
    receivers = sorted(key for of_senders, key in named if not of_senders)
    return {
        (row["is_sender"], row["id"]): (Sender if row["is_sender"] else Receiver).from_row(row)
        for row in await compose.find_people(senders, receivers)
    }


def named_in(message: Message) -> set[tuple[bool, UUID]]:
    """The ids in a message, each with whether it is one of the senders'."""
    people: list[object] = []
    if isinstance(message, EmailDraft):
        people = [*message.to, *message.cc, *message.bcc, *message.reply_to]
    elif isinstance(message, SmsDraft):
        people = [message.receiver]
    named = {(False, person) for person in people if isinstance(person, UUID)}
    sender = message.sender if isinstance(message, EmailDraft | SmsDraft) else None
    return named | ({(True, sender)} if isinstance(sender, UUID) else set())
