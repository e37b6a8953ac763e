"""From an email to the JSON of Mailjet's ``POST /v3.1/send``.

Source: https://dev.mailjet.com/email/reference/send-emails/
"""

import json
from collections.abc import Mapping, Sequence

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.api_message import (
    check_other_receivers,
    encode_words,
    to_bytes,
    write_content,
    write_file_name,
)
from app.transports.email.files import read_content_type, write_content_id
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import (
    UnsendableEmail,
    require_custom_header,
    require_one_line,
)

MAILJETS = ("x-mj-", "x-mailjet-")


def write_message(email: OutboundEmail, config: MailjetConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    To names the receiver alone: whoever stands in To, Cc or Bcc gets a copy. Mailjet takes one tag,
    the first, as the name of a campaign; the others stay in Pillarbox. It makes Message-ID itself.

    Raises :class:`UnsendableEmail`, also for several Reply-To addresses, which Mailjet doesn't
    take.
    """
    check_other_receivers(email)
    if not email.text and not email.html:
        raise UnsendableEmail("Mailjet takes no email without a text.")
    fields: dict[str, object] = {
        "From": write_address("From", email.sender),
        "To": [write_address("The receiver", email.receiver)],
        "ReplyTo": write_reply_to(email.reply_to),
        "Subject": require_one_line("Subject", email.subject),
        "TextPart": email.text,
        "HTMLPart": email.html,
        "Headers": write_headers(email.headers),
        **write_files(email.files, with_html=bool(email.html)),
        "CustomID": str(email.provider_key),
        "EventPayload": json.dumps(dict(email.metadata)) if email.metadata else "",
        "CustomCampaign": require_one_line("A tag", email.tags[0]) if email.tags else "",
    }
    message = {name: value for name, value in fields.items() if value or name == "Subject"}
    return to_bytes({"Messages": [message]} | ({"SandboxMode": True} if config.sandbox else {}))


def write_address(field: str, address: Address) -> Mapping[str, str]:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    return {"Email": mailbox, "Name": name} if name else {"Email": mailbox}


def write_reply_to(addresses: Sequence[Address]) -> Mapping[str, str] | None:
    if len(addresses) > 1:
        raise UnsendableEmail("Mailjet takes one Reply-To address.")
    return write_address("Reply-To", addresses[0]) if addresses else None


def write_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {
        require_free_header(name): encode_words(require_one_line(name, value))
        for name, value in headers.items()
    }


def require_free_header(name: str) -> str:
    if name.lower().startswith(MAILJETS):
        raise UnsendableEmail(f"The header {name} has a meaning at Mailjet and can't be set.")
    return require_custom_header(name)


def write_files(files: Sequence[File], *, with_html: bool) -> dict[str, object]:
    inline = [file for file in files if file.content_id and with_html]
    attached = [file for file in files if not (file.content_id and with_html)]
    return {
        "Attachments": [write_file(file) for file in attached],
        "InlinedAttachments": [
            {**write_file(file), "ContentID": write_content_id(file.content_id or "")[1:-1]}
            for file in inline
        ],
    }


def write_file(file: File) -> Mapping[str, str]:
    read_content_type(file.content_type)
    return {
        "ContentType": file.content_type,
        "Filename": write_file_name(file),
        "Base64Content": write_content(file),
    }
