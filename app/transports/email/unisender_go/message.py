"""From an email to the JSON of Unisender Go's ``POST /email/send.json``.

Source: https://godocs.unisender.ru/web-api-ref#email-send
"""

from collections.abc import Iterator, Mapping

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_mailbox,
    encode_words,
    force_words,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type
from app.transports.email.inline_names import rename_inline
from app.transports.email.unicode_mailboxes import SPECIALS, to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

EXPRESSION = "{{"
NO_ENGINE = "none"
"""What keeps texts that hold the beginning of an expression from being taken for templates. It is
from memory of the provider's pages, and only such messages ask for it."""

OWN_ID = "anymail_id"
"""Metadata in which others put an id of their own; django-anymail does."""


def write_message(email: OutboundEmail) -> bytes:
    """The same bytes for the same email, however often it is called.

    The receiver alone is named as one; the headers show the whole list. Somebody in Bcc sees only
    themselves in To. Unisender Go makes Message-ID itself.

    Raises :class:`UnsendableEmail`, also for several Reply-To addresses.
    """
    check_other_receivers(email)
    email = rename_inline(email)
    fields: dict[str, object] = {
        "headers": dict(write_headers(email)),
        "recipients": [write_receiver(email)],
        "from_email": to_ascii_mailbox("From", email.sender.email),
        "from_name": require_one_line("A name in From", email.sender.name).strip(),
        "subject": require_one_line("Subject", email.subject),
        **write_reply_to(email.reply_to),
        "body": {k: v for k, v in (("plaintext", email.text), ("html", email.html)) if v},
        "attachments": [write_file(one) for one in email.files if not one.content_id],
        "inline_attachments": [write_image(one) for one in email.files if one.content_id],
        "global_metadata": check_metadata(email.metadata),
        "tags": [require_one_line("A tag", tag) for tag in email.tags],
    }
    if EXPRESSION in email.subject + email.text + email.html:
        fields["template_engine"] = NO_ENGINE
    present = {name: value for name, value in fields.items() if value or name == "subject"}
    return to_bytes({"message": present})


def write_receiver(email: OutboundEmail) -> Mapping[str, object]:
    receiver: dict[str, object] = {"email": to_ascii_mailbox("The receiver", email.receiver.email)}
    name = require_one_line("A name in The receiver", email.receiver.name).strip()
    return receiver | ({"substitutions": {"to_name": name}} if name else {})


def write_headers(email: OutboundEmail) -> Iterator[tuple[str, str]]:
    """Cc needs To beside it."""
    shown = email.to or ((email.receiver,) if email.cc else ())
    if shown:
        yield "to", write_shown("To", shown)
    if email.cc:
        yield "cc", write_shown("Cc", email.cc)
    for name, value in email.headers.items():
        yield require_custom_header(name), encode_words(require_one_line(name, value))


def write_shown(field: str, addresses: tuple[Address, ...]) -> str:
    """A name with a special character is refused even in quotes, unless it is encoded words."""
    return ", ".join(write_one_shown(field, address) for address in addresses)


def write_one_shown(field: str, address: Address) -> str:
    name = require_one_line(f"A name in {field}", address.name).strip()
    if not SPECIALS.search(name):
        return encode_mailbox(field, address)
    return f"{force_words(name)} <{to_ascii_mailbox(field, address.email)}>"


def write_reply_to(addresses: tuple[Address, ...]) -> Mapping[str, str]:
    if len(addresses) > 1:
        raise UnsendableEmail("Unisender Go takes one Reply-To address.")
    if not addresses:
        return {}
    [address] = addresses
    name = require_one_line("A name in Reply-To", address.name).strip()
    return {
        "reply_to": to_ascii_mailbox("Reply-To", address.email),
        "reply_to_name": name,
    }


def check_metadata(metadata: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in metadata.items():
        require_one_line("Metadata", name + value)
        if name == OWN_ID:
            raise UnsendableEmail(f"The metadata {OWN_ID} would stand for the message's id.")
    return dict(metadata)


def write_file(file: File) -> Mapping[str, str]:
    """Unisender Go refuses names with a slash."""
    read_content_type(file.content_type)
    name = write_file_name(file).replace("/", "_")
    return {"content": write_content(file), "type": file.content_type, "name": name}


def write_image(file: File) -> Mapping[str, str]:
    """Its name is its Content-ID."""
    if read_content_type(file.content_type)[0] != "image":
        raise UnsendableEmail("Unisender Go shows images inside the HTML, and no other files.")
    name = file.content_id or ""
    return {"content": write_content(file), "type": file.content_type, "name": name}
