"""From an email to the JSON of Mandrill's ``POST /messages/send``.

Source: https://mailchimp.com/developer/transactional/api/messages/send-new-message/
"""

from collections.abc import Iterator, Mapping

from app.transports.contract import File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_mailboxes,
    encode_words,
    to_ascii_name,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type
from app.transports.email.inline_names import rename_inline
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

RESERVED = "_"
"""Tags that begin so are Mandrill's own."""

LONGEST_TAG = 50


def write_message(email: OutboundEmail, config: MandrillConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Mandrill makes
    Message-ID itself. Names of files lose what isn't ASCII, which Mandrill garbles.

    Raises :class:`UnsendableEmail`.
    """
    check_other_receivers(email)
    email = rename_inline(email)
    fields: dict[str, object] = {
        "from_email": to_ascii_mailbox("From", email.sender.email),
        "from_name": require_one_line("A name in From", email.sender.name).strip(),
        "to": [write_receiver(email)],
        "subject": require_one_line("Subject", email.subject),
        "headers": dict(write_headers(email)),
        "text": email.text,
        "html": email.html,
        "attachments": [write_file(one) for one in email.files if not one.content_id],
        "images": [write_image(one) for one in email.files if one.content_id],
        "metadata": dict(email.metadata),
        "tags": [check_tag(tag) for tag in email.tags],
        "subaccount": config.subaccount,
    }
    message = {name: value for name, value in fields.items() if value or name == "subject"}
    return to_bytes({"key": config.api_key, "message": message})


def write_receiver(email: OutboundEmail) -> Mapping[str, str]:
    address = {"email": to_ascii_mailbox("The receiver", email.receiver.email)}
    name = require_one_line("A name in The receiver", email.receiver.name).strip()
    return address | ({"name": name} if name else {}) | {"type": "to"}


def write_headers(email: OutboundEmail) -> Iterator[tuple[str, str]]:
    if email.reply_to:
        yield "Reply-To", encode_mailboxes("Reply-To", email.reply_to)
    for name, value in email.headers.items():
        yield require_custom_header(name), encode_words(require_one_line(name, value))


def check_tag(tag: str) -> str:
    if tag.startswith(RESERVED) or len(tag) > LONGEST_TAG:
        raise UnsendableEmail(
            f"Mandrill takes tags of up to {LONGEST_TAG} characters that don't begin with"
            f" {RESERVED}."
        )
    return require_one_line("A tag", tag)


def write_file(file: File) -> Mapping[str, str]:
    read_content_type(file.content_type)
    name = to_ascii_name(write_file_name(file))
    return {"type": file.content_type, "name": name, "content": write_content(file)}


def write_image(file: File) -> Mapping[str, str]:
    """Its name is its Content-ID."""
    if read_content_type(file.content_type)[0] != "image":
        raise UnsendableEmail("Mandrill shows images inside the HTML, and no other files.")
    name = file.content_id or ""
    return {"type": file.content_type, "name": name, "content": write_content(file)}
