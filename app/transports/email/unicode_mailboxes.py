"""Mailboxes as texts for APIs that take Unicode and encode it themselves."""

import re
from collections.abc import Sequence
from email.utils import quote

from app.transports.contract import Address
from app.transports.email.addresses import to_mailbox
from app.transports.email.unsendable import UnsendableEmail, require_one_line

SPECIALS = re.compile(r'[()<>@,:;."\\\[\]]')
"""RFC 5322 section 3.2.3: a name that holds one of these must be quoted."""


def write_mailboxes(field: str, addresses: Sequence[Address]) -> str:
    """``Ada Lovelace <ada@example.com>, "Shop, Inc." <shop@example.com>``.

    Raises :class:`UnsendableEmail` for what can't be written into a header.
    """
    return ", ".join(write_mailbox(field, address) for address in addresses)


def write_mailbox(field: str, address: Address) -> str:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    if not name:
        return mailbox
    return f'"{quote(name)}" <{mailbox}>' if SPECIALS.search(name) else f"{name} <{mailbox}>"


def to_ascii_mailbox(field: str, email: str) -> str:
    """As :func:`to_mailbox`; raises for a local part outside ASCII too (RFC 6531), which few
    APIs take."""
    mailbox = to_mailbox(field, email)
    if not mailbox.isascii():
        raise UnsendableEmail(f"{field} has an address that the provider can't write to.")
    return mailbox
