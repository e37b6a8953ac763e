"""From an email to the JSON of Scaleway's ``POST /emails``.

Source: https://www.scaleway.com/en/developers/api/transactional-email/#path-emails-send-an-email
"""

import json
from collections.abc import Iterator, Mapping

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_mailboxes,
    encode_words,
    is_shown_inline,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

METADATA, TAGS = "X-Metadata", "X-Tags"


def write_message(email: OutboundEmail, config: ScalewayConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Metadata and tags are
    headers, which the receiver can read. Scaleway makes Message-ID itself.

    Raises :class:`UnsendableEmail`, also for images inside the HTML, which Scaleway doesn't take.
    """
    check_other_receivers(email)
    fields: dict[str, object] = {
        "project_id": config.project_id,
        "from": write_address("From", email.sender),
        "to": [write_address("The receiver", email.receiver)],
        "subject": require_one_line("Subject", email.subject),
        "additional_headers": [{"key": k, "value": v} for k, v in write_headers(email)],
        "text": email.text,
        "html": email.html,
        "attachments": [write_file(file, email.html) for file in email.files],
    }
    return to_bytes({name: value for name, value in fields.items() if value or name == "subject"})


def write_address(field: str, address: Address) -> Mapping[str, str]:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    return {"email": mailbox} | ({"name": name} if name else {})


def write_headers(email: OutboundEmail) -> Iterator[tuple[str, str]]:
    if email.reply_to:
        yield "Reply-To", encode_mailboxes("Reply-To", email.reply_to)
    for name, value in email.headers.items():
        if name.lower() == TAGS.lower():
            raise UnsendableEmail(f"The header {name} is written by Pillarbox and can't be set.")
        yield require_custom_header(name), encode_words(require_one_line(name, value))
    if email.metadata:
        yield METADATA, json.dumps(dict(email.metadata))
    if email.tags:
        yield TAGS, json.dumps([require_one_line("A tag", tag) for tag in email.tags])


def write_file(file: File, shown_in: str) -> Mapping[str, str]:
    read_content_type(file.content_type)
    if is_shown_inline(file, shown_in):
        raise UnsendableEmail("Scaleway takes no images inside the HTML; link to them instead.")
    return {
        "name": write_file_name(file),
        "type": file.content_type,
        "content": write_content(file),
    }
