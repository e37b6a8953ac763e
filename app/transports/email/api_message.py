"""What the messages of all APIs have in common."""

import base64
import unicodedata
from collections.abc import Sequence
from email.header import Header
from email.utils import quote

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.addresses import to_mailbox
from app.transports.email.fields import needs_encoding
from app.transports.email.file_names import TYPES, bare_type
from app.transports.email.unicode_mailboxes import SPECIALS, to_ascii_mailbox
from app.transports.email.unsendable import UnsendableEmail, require_one_line
from app.transports.http.objects import Object, write_object

ENCODED_WORD = 75
"""RFC 2047 section 2: characters of an encoded word."""


def check_other_receivers(email: OutboundEmail) -> None:
    """Whoever is not named to the provider still has to be what the caller says they are."""
    for field, addresses in (("To", email.to), ("Cc", email.cc)):
        for address in addresses:
            to_mailbox(field, address.email)
            require_one_line(f"A name in {field}", address.name)


def to_bytes(content: Object) -> bytes:
    """Raises :class:`UnsendableEmail` for half a surrogate pair."""
    try:
        return write_object(content)
    except UnicodeEncodeError as error:
        raise UnsendableEmail("The email has characters that are not Unicode.") from error


def write_content(file: File) -> str:
    return base64.b64encode(file.content).decode("ascii")


def write_file_name(file: File) -> str:
    """The name, and one by the file's type where there is none."""
    name = require_one_line("A file's name", file.name).strip()
    return name or "file" + (TYPES.guess_extension(bare_type(file)) or "")


def to_ascii_name(name: str) -> str:
    """For providers that garble other characters: accents go, the rest becomes ``_``."""
    plain = unicodedata.normalize("NFKD", name)
    kept = (one for one in plain if not unicodedata.combining(one))
    return "".join(one if one.isascii() else "_" for one in kept)


def encode_words(value: str) -> str:
    """``value`` as encoded words on one line (RFC 2047), if it needs them."""
    return force_words(value) if needs_encoding(value) else value


def force_words(value: str) -> str:
    return Header(value, "utf-8", maxlinelen=ENCODED_WORD).encode(linesep="")


def is_shown_inline(file: File, html: str) -> bool:
    """Whether the HTML shows the file by its Content-ID, so that it must be found there."""
    return bool(file.content_id) and f"cid:{file.content_id}" in html


def encode_mailboxes(field: str, addresses: Sequence[Address]) -> str:
    """Mailboxes for a header that the provider writes as it is given: in ASCII, on one line."""
    return ", ".join(encode_mailbox(field, address) for address in addresses)


def encode_mailbox(field: str, address: Address) -> str:
    mailbox = to_ascii_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name).strip()
    if not name:
        return mailbox
    if needs_encoding(name):
        return f"{encode_words(name)} <{mailbox}>"
    return f'"{quote(name)}" <{mailbox}>' if SPECIALS.search(name) else f"{name} <{mailbox}>"
