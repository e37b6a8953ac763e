"""From an email to the JSON of Mailtrap's ``POST /api/send``.

Source: https://api-docs.mailtrap.io/docs/mailtrap-api-docs/67f1d70aeb62c-send-email-including-templates
"""

from collections.abc import Mapping

from app.transports.contract import Address, File, MetadataRefused, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    to_ascii_name,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type, write_content_id
from app.transports.email.unicode_mailboxes import to_ascii_mailbox, write_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

MOST_VARIABLES = 1_000
"""Characters of the metadata as JSON."""


def write_message(email: OutboundEmail) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Mailtrap takes one
    tag, the first, as a category; the others stay in Pillarbox. It garbles names of files that
    aren't ASCII, so they are written without accents.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for metadata beyond the limits.
    """
    check_other_receivers(email)
    if not email.text and not email.html:
        raise UnsendableEmail("Mailtrap takes no email without a text.")
    fields: dict[str, object] = {
        "from": write_address("From", email.sender),
        "to": [write_address("The receiver", email.receiver)],
        "subject": require_one_line("Subject", email.subject),
        "headers": write_headers(email),
        "text": email.text,
        "html": email.html,
        "attachments": [write_file(file, with_html=bool(email.html)) for file in email.files],
        "custom_variables": check_metadata(email.metadata),
        "category": require_one_line("A tag", email.tags[0]) if email.tags else "",
    }
    return to_bytes({name: value for name, value in fields.items() if value or name == "subject"})


def write_address(field: str, address: Address) -> Mapping[str, str]:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    return {"email": mailbox, "name": name} if name else {"email": mailbox}


def write_headers(email: OutboundEmail) -> Mapping[str, str]:
    """Mailtrap's own field takes one Reply-To address, the header takes several; Mailtrap writes
    headers as they are, and only ASCII may stand there."""
    headers: dict[str, str] = {}
    if email.reply_to:
        headers["Reply-To"] = ", ".join(write_reply_to(address) for address in email.reply_to)
    for name, value in email.headers.items():
        headers[require_custom_header(name)] = encode_words(require_one_line(name, value))
    return headers


def write_reply_to(address: Address) -> str:
    if address.name.isascii():
        return write_mailbox("Reply-To", address)
    mailbox = to_ascii_mailbox("Reply-To", address.email)
    return f"{encode_words(require_one_line('A name in Reply-To', address.name))} <{mailbox}>"


def check_metadata(metadata: Mapping[str, str]) -> Mapping[str, str]:
    if metadata and len(to_bytes(metadata)) > MOST_VARIABLES:
        raise MetadataRefused(f"Mailtrap takes at most {MOST_VARIABLES} characters of metadata")
    return metadata


def write_file(file: File, *, with_html: bool) -> Mapping[str, str]:
    read_content_type(file.content_type)
    written = {
        "filename": to_ascii_name(write_file_name(file)),
        "type": file.content_type,
        "content": write_content(file),
    }
    if file.content_id and with_html:
        content_id = write_content_id(file.content_id)[1:-1]
        return {**written, "disposition": "inline", "content_id": content_id}
    return written
