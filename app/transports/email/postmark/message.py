"""From an email to the JSON of Postmark's ``POST /email``.

Source: https://postmarkapp.com/developer/api/email-api#send-a-single-email
"""

import base64
from collections.abc import Iterator, Mapping

from app.transports.contract import File, MetadataRefused, OutboundEmail
from app.transports.email.addresses import to_mailbox
from app.transports.email.files import read_content_type, write_content_id
from app.transports.email.mime import message_id
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.unicode_mailboxes import write_mailbox, write_mailboxes
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)
from app.transports.http.objects import write_object

MOST_METADATA = 10
LONGEST_METADATA_NAME = 20
LONGEST_METADATA_VALUE = 80
"""Postmark answers with these limits when they are exceeded (django-anymail issue 238)."""


def write_message(email: OutboundEmail, config: PostmarkConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Postmark takes one
    tag, the first; the others stay in Pillarbox.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for metadata beyond the limits.
    """
    check_other_receivers(email)
    fields: dict[str, object] = {
        "From": write_mailbox("From", email.sender),
        "To": write_mailbox("The receiver", email.receiver),
        "Subject": require_one_line("Subject", email.subject),
        "ReplyTo": write_mailboxes("Reply-To", email.reply_to),
        "Headers": list(write_headers(email, config.message_id_domain)),
        "TextBody": email.text,
        "HtmlBody": email.html,
        "Attachments": [write_file(file, with_html=bool(email.html)) for file in email.files],
        "Metadata": check_metadata(email.metadata),
        "Tag": require_one_line("A tag", email.tags[0]) if email.tags else "",
        "MessageStream": config.message_stream,
    }
    present = {name: value for name, value in fields.items() if value or name == "Subject"}
    try:
        return write_object(present)
    except UnicodeEncodeError as error:
        raise UnsendableEmail("The email has characters that are not Unicode.") from error


def check_other_receivers(email: OutboundEmail) -> None:
    """They are not named to Postmark, and still have to be what the caller says they are."""
    for field, addresses in (("To", email.to), ("Cc", email.cc)):
        for address in addresses:
            to_mailbox(field, address.email)
            require_one_line(f"A name in {field}", address.name)


def write_headers(email: OutboundEmail, domain: str) -> Iterator[Mapping[str, str]]:
    for name, value in email.headers.items():
        yield {"Name": require_custom_header(name), "Value": require_one_line(name, value)}
    if domain:
        yield {"Name": "Message-ID", "Value": message_id(email.item_id, domain)}
        yield {"Name": "X-PM-KeepID", "Value": "true"}


def write_file(file: File, *, with_html: bool) -> Mapping[str, str]:
    """An inline image is one that the HTML can name by its Content-ID."""
    read_content_type(file.content_type)
    written = {
        "Name": require_one_line("A file's name", file.name).strip() or "file",
        "Content": base64.b64encode(file.content).decode("ascii"),
        "ContentType": file.content_type,
    }
    if file.content_id and with_html:
        written["ContentID"] = "cid:" + write_content_id(file.content_id)[1:-1]
    return written


def check_metadata(metadata: Mapping[str, str]) -> Mapping[str, str]:
    if len(metadata) > MOST_METADATA:
        raise MetadataRefused(f"Postmark takes at most {MOST_METADATA} fields of metadata")
    for name, value in metadata.items():
        if len(name) > LONGEST_METADATA_NAME or len(value) > LONGEST_METADATA_VALUE:
            raise MetadataRefused(
                f"Postmark takes {LONGEST_METADATA_NAME} characters of a name and"
                f" {LONGEST_METADATA_VALUE} of a value in metadata"
            )
        require_one_line("Metadata", name + value)
    return metadata
