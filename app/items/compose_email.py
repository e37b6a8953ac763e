"""From what a caller wants to send by email to what is stored, or to all that is wrong with it."""

import uuid
from collections.abc import Iterable, Iterator, Mapping

from app.items.addresses import check_address
from app.items.channels import choose_channel
from app.items.headers import check_headers
from app.items.people import MOST, Person, find_people, list_people
from app.items.refusals import Problems
from app.items.tags import check_tags
from app.items.texts import check_name, check_subject, check_text
from app.models.queries.compose_email import Mailbox, NewEmail

RECEIVING = ("to", "cc", "bcc")

NOBODY = Mailbox("", None, "", "", None, None)


async def check_email(draft: Mapping[str, object], problems: Problems) -> NewEmail:
    """The email to store; it may be stored only when no problem was noted."""
    people = await find_people(list_everybody(draft, problems), problems)
    boxes = {field: check_mailbox(field, person, problems) for field, person in people.items()}
    sender = boxes.pop("sender", NOBODY)
    text, html = check_body(draft.get("text") or "", draft.get("html") or "", problems)
    return NewEmail(
        id=uuid.uuid7(),
        sender_id=sender.person_id,
        sender_name=sender.name,
        sender_address=sender.address,
        subject=problems.accept("subject", check_subject, draft["subject"], ""),
        text=text,
        html=html,
        headers=check_headers(draft.get("headers"), problems),
        tags=check_tags(draft.get("tags") or (), problems),
        mailboxes=list(without_repeats(boxes.values())),
    )


def list_everybody(draft: Mapping[str, object], problems: Problems) -> Mapping[str, object]:
    receivers = {
        field: person
        for role in RECEIVING
        for field, person in list_people(role, draft.get(role, ()), problems).items()
    }
    if len(receivers) > MOST:
        problems.add("to", f"Must be at most {MOST} with cc and bcc; send further messages.")
    problems.require(receivers, "to", "There is no receiver.")
    replies = list_people("reply_to", draft.get("reply_to", ()), problems)
    return {"sender": draft["sender"], **receivers, **replies}


def check_body(text: object, html: object, problems: Problems) -> tuple[str, str]:
    given = (
        problems.accept("text", check_text, text, ""),
        problems.accept("html", check_text, html, ""),
    )
    has_body = any(part.strip() for part in given)
    problems.require(has_body, "text", "There is no body: give text, html or both.")
    return given


def check_mailbox(field: str, person: Person, problems: Problems) -> Mailbox:
    """The mailbox that a field names, and the item that is made of it if it receives."""
    role = field.partition(".")[0]
    address = problems.accept(f"{field}.email", check_address, person.email, "")
    return Mailbox(
        role=role,
        person_id=person.id,
        name=problems.accept(f"{field}.name", check_name, person.name, ""),
        address=address,
        item_id=uuid.uuid7() if role in RECEIVING else None,
        channel=choose_channel("email", address) if role in RECEIVING else None,
        place=field,
    )


def without_repeats(boxes: Iterable[Mailbox]) -> Iterator[Mailbox]:
    """Each address once, in its first role: nobody gets one message twice for being named twice.

    Upper and lower case count as the same, as every known mail server treats them.
    """
    receiving, answering = set[str](), set[str]()
    for box in boxes:
        seen = answering if box.item_id is None else receiving
        if box.address.lower() not in seen:
            seen.add(box.address.lower())
            yield box
