"""From an email to the JSON of Resend's ``POST /emails``.

Source: https://resend.com/docs/api-reference/emails/send-email
"""

import json
import re
from collections.abc import Iterator, Mapping

from app.transports.contract import File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    to_bytes,
    write_content,
)
from app.transports.email.file_names import bare_type, type_by_name, with_extension
from app.transports.email.files import read_content_type, write_content_id
from app.transports.email.unicode_mailboxes import write_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

METADATA = "X-Metadata"
TAGS = "X-Tags"
RESENDS = frozenset({METADATA.lower(), TAGS.lower()})
"""Headers in which our metadata and tags travel; Resend's own tags know no other characters."""

TAG = re.compile(r"[A-Za-z0-9_-]{1,256}")


def write_message(email: OutboundEmail) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Resend makes
    Message-ID itself.

    Raises :class:`UnsendableEmail`.
    """
    check_other_receivers(email)
    fields: dict[str, object] = {
        "from": write_mailbox("From", email.sender),
        "to": [write_mailbox("The receiver", email.receiver)],
        "subject": require_one_line("Subject", email.subject),
        "reply_to": [write_mailbox("Reply-To", address) for address in email.reply_to],
        "headers": write_headers(email),
        "text": email.text,
        "html": email.html,
        "attachments": [write_file(file, with_html=bool(email.html)) for file in email.files],
        "tags": list(write_tags(email.metadata)),
    }
    return to_bytes({name: value for name, value in fields.items() if value or name == "subject"})


def write_headers(email: OutboundEmail) -> Mapping[str, str]:
    headers = {
        require_free_header(name): encode_words(require_one_line(name, value))
        for name, value in email.headers.items()
    }
    if email.metadata:
        headers[METADATA] = json.dumps(dict(email.metadata))
    if email.tags:
        headers[TAGS] = json.dumps([require_one_line("A tag", tag) for tag in email.tags])
    return headers


def require_free_header(name: str) -> str:
    if name.lower() in RESENDS:
        raise UnsendableEmail(f"The header {name} is written by Pillarbox and can't be set.")
    return require_custom_header(name)


def write_tags(metadata: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """The keys once more, as far as Resend's own tags can hold them: reports return both."""
    for name, value in metadata.items():
        if TAG.fullmatch(name) and TAG.fullmatch(value):
            yield {"name": name, "value": value}


def write_file(file: File, *, with_html: bool) -> Mapping[str, str]:
    """Resend drops a message, and says nothing, when a file's name doesn't fit its type
    (django-anymail). So a name without extension gets one, and a type that doesn't fit is left out:
    Resend then takes the one that the name says."""
    read_content_type(file.content_type)
    name = with_extension(file)
    written = {"content": write_content(file), "filename": name}
    if type_by_name(name) == bare_type(file):
        written["content_type"] = file.content_type
    if file.content_id and with_html:
        written["content_id"] = write_content_id(file.content_id)[1:-1]
    return written
