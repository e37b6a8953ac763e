"""From an email to the JSON of SparkPost's ``POST /transmissions``.

Source: https://developers.sparkpost.com/api/transmissions/
"""

from collections.abc import Iterator, Mapping

from app.transports.contract import File, MetadataRefused, OutboundEmail
from app.transports.email.api_message import (
    encode_mailbox,
    encode_mailboxes,
    encode_words,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type
from app.transports.email.inline_names import rename_inline
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)
from app.transports.http.objects import write_object

MOST_METADATA = 1000
"""Bytes. From memory of SparkPost's pages, and not checked."""

OPENING = "{{"
OPENING_ESCAPED = "{{opening_double_curly()}}"
"""How SparkPost's template language, which reads every text, writes what begins an expression
(https://developers.sparkpost.com/api/template-language/)."""


def write_message(email: OutboundEmail, config: SparkpostConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    The receiver alone is named as one; the headers show the whole list. Somebody in Bcc sees only
    themselves in To. SparkPost takes one tag, the first (``campaign_id``); the others stay in
    Pillarbox. It makes Message-ID itself.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for metadata beyond the limit.
    """
    email = rename_inline(email)
    fields: dict[str, object] = {
        "options": {"transactional": True} | ({"sandbox": True} if config.sandbox else {}),
        "content": write_content_of(email),
        "recipients": [{"address": write_receiver(email)}],
        "metadata": check_metadata(email.metadata),
        "campaign_id": require_one_line("A tag", email.tags[0]) if email.tags else "",
    }
    return to_bytes({name: value for name, value in fields.items() if value})


def write_content_of(email: OutboundEmail) -> Mapping[str, object]:
    fields: dict[str, object] = {
        "from": encode_mailbox("From", email.sender),
        "headers": dict(write_headers(email)),
        "subject": escape(require_one_line("Subject", email.subject)),
        "reply_to": encode_mailboxes("Reply-To", email.reply_to),
        "text": escape(email.text),
        "html": escape(email.html),
        "attachments": [write_file(one) for one in email.files if not one.content_id],
        "inline_images": [write_image(one) for one in email.files if one.content_id],
    }
    return {name: value for name, value in fields.items() if value or name == "subject"}


def escape(text: str) -> str:
    return text.replace(OPENING, OPENING_ESCAPED)


def write_receiver(email: OutboundEmail) -> Mapping[str, str]:
    address = {"email": to_ascii_mailbox("The receiver", email.receiver.email)}
    shown = email.to or ((email.receiver,) if not email.cc else ())
    return address | ({"header_to": encode_mailboxes("To", shown)} if shown else {})


def write_headers(email: OutboundEmail) -> Iterator[tuple[str, str]]:
    if email.cc:
        yield "Cc", encode_mailboxes("Cc", email.cc)
    for name, value in email.headers.items():
        yield require_custom_header(name), escape(encode_words(require_one_line(name, value)))


def write_file(file: File) -> Mapping[str, str]:
    read_content_type(file.content_type)
    return {
        "name": write_file_name(file),
        "type": file.content_type,
        "data": write_content(file),
    }


def write_image(file: File) -> Mapping[str, str]:
    """Its name is its Content-ID."""
    if read_content_type(file.content_type)[0] != "image":
        raise UnsendableEmail("SparkPost shows images inside the HTML, and no other files.")
    return {"name": file.content_id or "", "type": file.content_type, "data": write_content(file)}


def check_metadata(metadata: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in metadata.items():
        require_one_line("Metadata", name + value)
    if len(write_object(dict(metadata))) > MOST_METADATA:
        raise MetadataRefused(f"SparkPost takes {MOST_METADATA} bytes of metadata")
    return dict(metadata)
