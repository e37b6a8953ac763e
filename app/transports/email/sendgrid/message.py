"""From an email to the JSON of SendGrid's ``POST /mail/send``.

Source: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
"""

from collections.abc import Mapping, Sequence

from app.transports.contract import Address, File, MetadataRefused, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type, write_content_id
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.names import FIELDS, ID
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

MOST_TAGS = 10
LONGEST_TAG = 255
MOST_ARGUMENTS = 10_000
"""Bytes of all custom arguments together."""

SENDGRIDS = ("x-sg-", "x-smtpapi")


def write_message(email: OutboundEmail, config: SendgridConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    Personalizations name the receiver alone: whoever stands in To, Cc or Bcc gets a copy. SendGrid
    makes Message-ID itself. It takes ten tags; the others stay in Pillarbox.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for metadata that would be lost.
    """
    check_other_receivers(email)
    fields: dict[str, object] = {
        "personalizations": [{"to": [write_address("The receiver", email.receiver)]}],
        "from": write_address("From", email.sender),
        "reply_to_list": [write_address("Reply-To", address) for address in email.reply_to],
        "subject": require_one_line("Subject", email.subject),
        "content": write_texts(email),
        "headers": write_headers(email.headers),
        "attachments": [write_file(file, with_html=bool(email.html)) for file in email.files],
        "custom_args": {**check_metadata(email.metadata), ID: str(email.provider_key)},
        "categories": write_tags(email.tags),
        "mail_settings": {"sandbox_mode": {"enable": True}} if config.sandbox else {},
    }
    return to_bytes({name: value for name, value in fields.items() if value or name == "subject"})


def write_address(field: str, address: Address) -> Mapping[str, str]:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    return {"email": mailbox, "name": name} if name else {"email": mailbox}


def write_texts(email: OutboundEmail) -> Sequence[Mapping[str, str]]:
    """SendGrid wants the plain text first, and nothing empty."""
    texts = (("text/plain", email.text), ("text/html", email.html))
    written = [{"type": kind, "value": text} for kind, text in texts if text]
    if not written:
        raise UnsendableEmail("SendGrid takes no email without a text.")
    return written


def write_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {
        require_free_header(name): encode_words(require_one_line(name, value))
        for name, value in headers.items()
    }


def require_free_header(name: str) -> str:
    if name.lower().startswith(SENDGRIDS):
        raise UnsendableEmail(f"The header {name} has a meaning at SendGrid and can't be set.")
    return require_custom_header(name)


def write_tags(tags: tuple[str, ...]) -> list[str]:
    """Each once, or SendGrid refuses the message."""
    written = dict.fromkeys(require_one_line("A tag", tag)[:LONGEST_TAG] for tag in tags)
    return list(written)[:MOST_TAGS]


def check_metadata(metadata: Mapping[str, str]) -> Mapping[str, str]:
    """A report has metadata beside its own fields, which win."""
    if clashing := sorted(FIELDS & metadata.keys()):
        raise MetadataRefused(f"SendGrid has a field called {clashing[0]} in its reports")
    if sum(len(f"{name}{value}".encode()) for name, value in metadata.items()) > MOST_ARGUMENTS:
        raise MetadataRefused(f"SendGrid takes at most {MOST_ARGUMENTS} bytes of metadata")
    return metadata


def write_file(file: File, *, with_html: bool) -> Mapping[str, str]:
    read_content_type(file.content_type)
    written = {
        "content": write_content(file),
        "type": file.content_type,
        "filename": write_file_name(file),
    }
    if file.content_id and with_html:
        content_id = write_content_id(file.content_id)[1:-1]
        return {**written, "disposition": "inline", "content_id": content_id}
    return written
