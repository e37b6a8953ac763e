"""From an email to the JSON of Brevo's ``POST /smtp/email``.

Source: https://developers.brevo.com/reference/sendtransacemail
"""

import html
import json
from collections.abc import Mapping

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    is_shown_inline,
    to_ascii_name,
    to_bytes,
    write_content,
)
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.file_names import with_extension
from app.transports.email.files import read_content_type
from app.transports.email.unicode_mailboxes import SPECIALS, to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

METADATA = "X-Mailin-custom"
IDEMPOTENCY = "idempotencyKey"
SANDBOX = "X-Sib-Sandbox"
BREVOS = frozenset({METADATA.lower(), IDEMPOTENCY.lower(), SANDBOX.lower(), "sender.ip"})
"""Headers by which Brevo is told something. They can't be set by a message."""


def write_message(email: OutboundEmail, config: BrevoConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Brevo wants HTML, so
    a message of text alone gets its text as HTML too. It makes Message-ID itself.

    Raises :class:`UnsendableEmail`, also for several Reply-To addresses and for images inside the
    HTML, which Brevo doesn't take.
    """
    check_other_receivers(email)
    fields: dict[str, object] = {
        "headers": write_headers(email, config),
        "sender": write_address("From", email.sender),
        "to": [write_address("The receiver", email.receiver)],
        "subject": require_one_line("Subject", email.subject),
        "replyTo": write_reply_to(email.reply_to),
        "textContent": email.text,
        "htmlContent": email.html or as_html(email.text),
        "attachment": [write_file(file, email.html) for file in email.files],
        "tags": [require_one_line("A tag", tag) for tag in email.tags],
    }
    return to_bytes({name: value for name, value in fields.items() if value or name == "subject"})


def as_html(text: str) -> str:
    return f'<div style="white-space: pre-wrap">{html.escape(text)}</div>'


def write_address(field: str, address: Address) -> Mapping[str, str]:
    """Brevo drops a name that has both a special character and one outside ASCII, unless it is
    encoded (django-anymail)."""
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    if not name:
        return {"email": mailbox}
    is_dropped = SPECIALS.search(name) and not name.isascii()
    return {"email": mailbox, "name": encode_words(name) if is_dropped else name}


def write_reply_to(addresses: tuple[Address, ...]) -> Mapping[str, str] | None:
    if len(addresses) > 1:
        raise UnsendableEmail("Brevo takes one Reply-To address.")
    return write_address("Reply-To", addresses[0]) if addresses else None


def write_headers(email: OutboundEmail, config: BrevoConfig) -> Mapping[str, str]:
    """Brevo writes values as they are, and only ASCII may stand there."""
    headers = {
        require_free_header(name): encode_words(require_one_line(name, value))
        for name, value in email.headers.items()
    }
    if email.metadata:
        headers[METADATA] = json.dumps(dict(email.metadata), separators=(",", ":"))
    headers[IDEMPOTENCY] = str(email.provider_key)
    return headers | ({SANDBOX: "drop"} if config.sandbox else {})


def require_free_header(name: str) -> str:
    if name.lower() in BREVOS:
        raise UnsendableEmail(f"The header {name} has a meaning at Brevo and can't be set.")
    return require_custom_header(name)


def write_file(file: File, shown_in: str) -> Mapping[str, str]:
    """Brevo knows a file's type by its name, and garbles names that aren't ASCII."""
    read_content_type(file.content_type)
    if is_shown_inline(file, shown_in):
        raise UnsendableEmail("Brevo takes no images inside the HTML; link to them instead.")
    return {"name": to_ascii_name(with_extension(file)), "content": write_content(file)}
