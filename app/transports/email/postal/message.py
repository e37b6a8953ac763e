"""From an email to the JSON of Postal's ``POST /api/v1/send/raw``.

The other call, ``send/message``, takes neither images inside the HTML nor several Reply-To
addresses nor a Message-ID, and some versions of it read ``html_body`` as base64. Source:
``app/controllers/legacy_api/send_controller.rb`` of https://github.com/postalserver/postal
"""

import base64
from dataclasses import replace

from app.transports.contract import MetadataRefused, OutboundEmail
from app.transports.email.api_message import to_bytes
from app.transports.email.mime import build_letter
from app.transports.email.postal.config import PostalConfig
from app.transports.email.unicode_mailboxes import to_ascii_mailbox
from app.transports.email.unsendable import UnsendableEmail

TAG_HEADER = "X-Postal-Tag"


def write_message(email: OutboundEmail, config: PostalConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    Postal takes one tag, the first; the others stay in Pillarbox. It has no metadata; the item
    comes back with the Message-ID.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for any metadata.
    """
    if email.metadata:
        raise MetadataRefused("Postal has no metadata")
    sender = to_ascii_mailbox("From", email.sender.email)
    domain = config.message_id_domain or sender.rpartition("@")[2]
    letter = build_letter(replace(email, tags=email.tags[:1]), domain, TAG_HEADER)
    if letter.needs_smtputf8:
        raise UnsendableEmail("An address has characters that Postal can't write to.")
    return to_bytes(
        {
            "rcpt_to": [letter.receiver],
            "mail_from": letter.sender,
            "data": base64.b64encode(letter.content).decode("ascii"),
        }
    )
