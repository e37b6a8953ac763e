"""From an email to the form of Mailgun's ``POST /{domain}/messages``.

Source: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256

import httpx

from app.transports.contract import File, MetadataRefused, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    write_file_name,
)
from app.transports.email.files import read_content_type
from app.transports.email.inline_names import rename_inline
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.unicode_mailboxes import write_mailbox, write_mailboxes
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

type Part = tuple[str, tuple[str | None, str | bytes, str | None]]
"""A field of the form: its name; a file's name, the content, its type."""

MOST_TAGS = 10
MOST_VARIABLES = 16_000
"""Bytes of all variables together; by what is known, for Mailgun's page names no number."""

MAILGUNS = "x-mailgun-"


def write_message(email: OutboundEmail, config: MailgunConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Mailgun makes
    Message-ID itself, by which its reports name the message. It takes ten tags; the others stay in
    Pillarbox.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for metadata beyond the limits.
    """
    check_other_receivers(email)
    email = rename_inline(email)
    texts = [*write_texts(email), *write_metadata(email.metadata), *write_options(email, config)]
    files = [write_file(file) for file in email.files]
    parts: list[Part] = [(name, (None, value, None)) for name, value in texts]
    try:
        return encode([*parts, *files], content_type(email))
    except UnicodeEncodeError as error:
        raise UnsendableEmail("The email has characters that are not Unicode.") from error


def content_type(email: OutboundEmail) -> str:
    """The boundary is one that nobody who writes a message can know."""
    boundary = sha256(email.provider_key.bytes).hexdigest()
    return f"multipart/form-data; boundary={boundary}"


def encode(parts: list[Part], kind: str) -> bytes:
    request = httpx.Request("POST", "http://form", files=parts, headers={"Content-Type": kind})
    return request.read()


def write_texts(email: OutboundEmail) -> Iterator[tuple[str, str]]:
    if not email.text and not email.html:
        raise UnsendableEmail("Mailgun takes no email without a text.")
    yield "from", write_mailbox("From", email.sender)
    yield "to", write_mailbox("The receiver", email.receiver)
    yield "subject", require_one_line("Subject", email.subject)
    if email.reply_to:
        yield "h:Reply-To", write_mailboxes("Reply-To", email.reply_to)
    for name, value in email.headers.items():
        yield f"h:{require_free_header(name)}", encode_words(require_one_line(name, value))
    if email.text:
        yield "text", email.text
    if email.html:
        yield "html", email.html


def require_free_header(name: str) -> str:
    if name.lower().startswith(MAILGUNS):
        raise UnsendableEmail(f"The header {name} has a meaning at Mailgun and can't be set.")
    return require_custom_header(name)


def write_metadata(metadata: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if sum(len(f"{name}{value}".encode()) for name, value in metadata.items()) > MOST_VARIABLES:
        raise MetadataRefused(f"Mailgun takes at most {MOST_VARIABLES} bytes of metadata")
    for name, value in metadata.items():
        yield f"v:{require_one_line('Metadata', name)}", value


def write_options(email: OutboundEmail, config: MailgunConfig) -> Iterator[tuple[str, str]]:
    for tag in list(dict.fromkeys(email.tags))[:MOST_TAGS]:
        yield "o:tag", require_one_line("A tag", tag)
    if config.sandbox:
        yield "o:testmode", "yes"


def write_file(file: File) -> Part:
    """The HTML names an inline file by the name that it has here."""
    read_content_type(file.content_type)
    if file.content_id:
        return "inline", (file.content_id, file.content, file.content_type)
    return "attachment", (write_file_name(file), file.content, file.content_type)
