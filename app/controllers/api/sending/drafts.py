"""From a caller's message to the draft that ``app.items`` checks."""

from collections.abc import Iterable
from uuid import UUID

from app.controllers.api.sending.forms import Part
from app.controllers.api.sending.known import Known
from app.controllers.api.sending.messages import (
    EmailContact,
    EmailDraft,
    Message,
    NewAttachment,
    NewOrigin,
    PhoneContact,
    SmsDraft,
)
from app.items import Inline, InvalidMessage
from app.items.compose import compose_email, compose_sms
from app.items.writing import Composed

type Draft = dict[str, object]


async def compose(
    message: Message, files: Iterable[Part] = (), known: Known | None = None
) -> Composed:
    """The message with its keys, ready to be written; raises :class:`InvalidMessage`.

    ``known`` are people that were read before; others are read as they are needed.
    """
    if isinstance(message, EmailDraft):
        return await compose_email(draft_email(message, files, known or {}))
    if isinstance(message, SmsDraft):
        return await compose_sms(draft_sms(message, known or {}))
    raise TypeError(type(message).__name__)


def draft_email(email: EmailDraft, files: Iterable[Part], known: Known) -> Draft:
    return {
        **draft_envelope(email),
        "sender": person(email.sender, known, sends=True),
        **{
            role: [person(one, known) for one in people]
            for role, people in (
                ("to", email.to),
                ("cc", email.cc),
                ("bcc", email.bcc),
                ("reply_to", email.reply_to),
            )
        },
        "subject": email.subject,
        "text": email.text,
        "html": email.html,
        "headers": email.headers,
        "tags": email.tags,
        "attachments": name_files(email.attachments, files),
    }


def draft_sms(sms: SmsDraft, known: Known) -> Draft:
    return {
        **draft_envelope(sms),
        "sender": {} if sms.sender is None else person(sms.sender, known, sends=True),
        "receiver": person(sms.receiver, known),
        "body": sms.body,
        "media_url": sms.media_url,
    }


def draft_envelope(message: Message) -> Draft:
    return {
        "send_at": message.send_at,
        "expires_at": message.expires_at,
        "priority": message.priority,
        "origin": pair(message.origin),
    }


def pair(origin: NewOrigin | None) -> tuple[str, str] | None:
    return None if origin is None else (origin.type, origin.id)


def person(
    given: UUID | EmailContact | PhoneContact, known: Known, *, sends: bool = False
) -> object:
    if isinstance(given, UUID):
        return known.get((sends, given), given)
    if isinstance(given, EmailContact):
        return {"name": given.name, "email": given.email}
    return {"name": given.name, "cell": given.cell}


def name_files(attachments: Iterable[NewAttachment], parts: Iterable[Part]) -> dict[str, Inline]:
    """The files by their names; raises :class:`InvalidMessage` when two have the same."""
    given = [
        *((one.name, Inline(one.content, one.content_id, one.content_type)) for one in attachments),
        *(
            (part.file_name or "", Inline(bytes(part.content), part.content_id, part.content_type))
            for part in parts
        ),
    ]
    files = dict[str, Inline](given)
    if len(files) < len(given):
        raise InvalidMessage({"attachments": ["Two files have the same name: rename one."]})
    return files
