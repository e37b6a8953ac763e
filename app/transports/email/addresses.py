"""Mailboxes as envelopes and header fields carry them."""

import re

import idna

from app.transports.email.unsendable import UnsendableEmail

MAILBOX = re.compile(
    r"""(?: [^\s\x00-\x20\x7f-\x9f()<>\[\]\\,;:"@]{1,64}      # dot-atom
          | "(?:[^"\\\x00-\x1f\x7f-\x9f]|\\[\x20-\x7e]){0,62}" # quoted string
        ) @ (?: [A-Za-z0-9._-]{1,253} | \[[A-Za-z0-9.:]{1,62}\] )""",
    re.VERBOSE,
)


def to_mailbox(field: str, email: str) -> str:
    """``email`` with its domain in A-labels, by IDNA 2008 (``faß.de`` is ``xn--fa-hia.de``).

    Raises :class:`UnsendableEmail` for what is no mailbox (RFC 5321 section 4.1.2).
    """
    local, _, domain = email.rpartition("@")
    mailbox = f"{local}@{to_a_labels(field, domain)}"
    if not MAILBOX.fullmatch(mailbox):
        raise UnsendableEmail(f"{field} has an address that is no mailbox.")
    return mailbox


def to_a_labels(field: str, domain: str) -> str:
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError as error:
        raise UnsendableEmail(f"{field} has an address whose domain is invalid.") from error
