"""From what a caller wants to send by SMS to what is stored, or to all that is wrong with it."""

import uuid
from collections.abc import Mapping

from app.items.channels import choose_channel, has_own_sender, require_channel
from app.items.numbers import check_number
from app.items.people import Person, find_people
from app.items.refusals import Problems, Refused
from app.items.texts import check_name, check_text
from app.models.queries.compose_sms import NewSms
from app.transports.sms.twilio_media import find_media_problem

LONGEST = 1600
"""Twilio refuses more (error 21617); every other provider known takes less or the same."""


NOBODY = (Person(), "", "")


async def check_sms(draft: Mapping[str, object], problems: Problems) -> NewSms:
    """The SMS to store; it may be stored only when no problem was noted."""
    given = {field: draft[field] for field in ("sender", "receiver")}
    people = {
        field: (person, *check_person(field, person, problems))
        for field, person in (await find_people(given, problems)).items()
    }
    sender, _, sender_number = people.get("sender", NOBODY)
    receiver, receiver_name, receiver_number = people.get("receiver", NOBODY)
    body, media_url = check_content(draft["body"], draft.get("media_url"), problems)
    channel = choose_channel("sms", receiver_number)
    require_channel("sms", channel, problems)
    return NewSms(
        id=uuid.uuid7(),
        item_id=uuid.uuid7(),
        channel=channel,
        sender_id=sender.id,
        sender_number=sender_number,
        receiver_id=receiver.id,
        receiver_name=receiver_name,
        receiver_number=receiver_number,
        body=body,
        media_url=media_url,
    )


def check_person(field: str, person: Person, problems: Problems) -> tuple[str, str]:
    name = problems.accept(f"{field}.name", check_name, person.name, "")
    if field == "sender" and not person.cell and has_own_sender():
        return name, ""
    return name, problems.accept(f"{field}.cell", check_number, person.cell, "")


def check_content(body: object, media_url: object, problems: Problems) -> tuple[str, str | None]:
    text = problems.accept("body", check_sms_body, "" if body is None else body, "")
    media = problems.accept("media_url", check_media_url, media_url, None)
    problems.require(text.strip() or media_url, "body", "There is no body: give one, or media_url.")
    return text, media


def check_sms_body(value: object) -> str:
    text = check_text(value)
    if len(text) > LONGEST:
        raise Refused(f"Must have at most {LONGEST} characters.")
    return text


def check_media_url(value: object) -> str | None:
    """An address that the provider may fetch; it is neither resolved nor fetched here."""
    if value is None or value == "":
        return None
    problem = find_media_problem(check_text(value))
    if problem:
        raise Refused(f"The address {problem}.")
    return str(value)
