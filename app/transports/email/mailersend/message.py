"""From an email to the JSON of MailerSend's ``POST /email``.

Source: https://developers.mailersend.com/api/v1/email.html
"""

from collections.abc import Iterator, Mapping, Sequence

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    to_bytes,
    write_content,
)
from app.transports.email.file_names import with_extension
from app.transports.email.files import read_content_type, write_content_id
from app.transports.email.mailersend.keys import OURS, to_tags
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

MOST_TAGS = 5

IN_REPLY_TO = "in-reply-to"
PRECEDENCE = "precedence"
FIELDS = frozenset({IN_REPLY_TO, PRECEDENCE})
"""Headers that MailerSend wants as fields. Others need one of its bigger plans."""


def write_message(email: OutboundEmail) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. MailerSend takes five
    tags, our keys among them; the others stay in Pillarbox. It makes Message-ID itself, and takes a
    file's type from its name.

    Raises :class:`UnsendableEmail`, also for several Reply-To addresses, which MailerSend doesn't
    take, and :class:`MetadataRefused` for metadata other than our keys.
    """
    check_other_receivers(email)
    if not email.text and not email.html:
        raise UnsendableEmail("MailerSend takes no email without a text.")
    fields: dict[str, object] = {
        "from": write_address("From", email.sender),
        "to": [write_address("The receiver", email.receiver)],
        "reply_to": write_reply_to(email.reply_to),
        "subject": require_one_line("Subject", email.subject),
        "headers": list(write_headers(email.headers)),
        **write_fields(email.headers),
        "text": email.text,
        "html": email.html,
        "attachments": [write_file(file, with_html=bool(email.html)) for file in email.files],
        "tags": write_tags(email),
    }
    return to_bytes({name: value for name, value in fields.items() if value or name == "subject"})


def write_address(field: str, address: Address) -> Mapping[str, str]:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    return {"email": mailbox, "name": name} if name else {"email": mailbox}


def write_reply_to(addresses: Sequence[Address]) -> Mapping[str, str] | None:
    if len(addresses) > 1:
        raise UnsendableEmail("MailerSend takes one Reply-To address.")
    return write_address("Reply-To", addresses[0]) if addresses else None


def write_headers(headers: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    for name, value in headers.items():
        require_custom_header(name)
        if name.lower() not in FIELDS:
            yield {"name": name, "value": encode_words(require_one_line(name, value))}


def write_fields(headers: Mapping[str, str]) -> dict[str, object]:
    given = {name.lower(): require_one_line(name, value) for name, value in headers.items()}
    return {
        "in_reply_to": given.get(IN_REPLY_TO, "").strip("<> "),
        "precedence_bulk": given.get(PRECEDENCE, "").lower() == "bulk",
    }


def write_tags(email: OutboundEmail) -> list[str]:
    """The keys first; a tag that looks like one would be taken for it."""
    keys = to_tags(email.metadata)
    others = dict.fromkeys(require_one_line("A tag", tag) for tag in email.tags)
    return [*keys, *(tag for tag in others if not tag.startswith(OURS))][:MOST_TAGS]


def write_file(file: File, *, with_html: bool) -> Mapping[str, str]:
    read_content_type(file.content_type)
    written = {"filename": with_extension(file), "content": write_content(file)}
    if file.content_id and with_html:
        content_id = write_content_id(file.content_id)[1:-1]
        return {**written, "disposition": "inline", "id": content_id}
    return {**written, "disposition": "attachment"}
