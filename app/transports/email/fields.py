"""Header fields, written and folded so that every reader reads what was meant.

``email.policy`` folds by encoding: a long URL in ``List-Unsubscribe`` becomes encoded words that
no mail client follows. Here white space is the only place to fold, and encoded words appear only
where the text needs them.
"""

import re
from collections.abc import Sequence
from email.header import Header
from email.utils import quote

from app.transports.contract import Address
from app.transports.email.addresses import to_mailbox
from app.transports.email.unsendable import UnsendableEmail, require_one_line

WIDTH = 76
"""RFC 2047 section 2: a line with an encoded word has at most 76 characters."""

LONGEST_WORD = 900
"""Leaves room for the longest field name within the 998 characters of RFC 5322 section 2.1.1."""

LONGEST_QUOTED_NAME = 60


def text_field(name: str, value: str) -> str:
    """A field of free text, such as Subject."""
    require_one_line(name, value)
    if needs_encoding(value) or longest_word(value) > LONGEST_WORD:
        return f"{name}: {encode_words(value, len(name) + 2)}"
    return fold(f"{name}: {value}")


def custom_field(name: str, value: str) -> str:
    """A field whose syntax we don't know: never rewritten beyond what non-ASCII text needs."""
    if longest_word(value) > LONGEST_WORD:
        raise UnsendableEmail(f"The header {name} has a word of over {LONGEST_WORD} characters.")
    return text_field(name, value)


def address_field(name: str, addresses: Sequence[Address]) -> str:
    return f"{name}: " + ",\r\n ".join(write_address(name, address) for address in addresses)


def write_address(field: str, address: Address) -> str:
    mailbox = to_mailbox(field, address.email)
    name = require_one_line(f"A name in {field}", address.name)
    if not name:
        return mailbox
    if needs_encoding(name) or len(name) > LONGEST_QUOTED_NAME:
        return f"{encode_words(name, len(field) + 2)}\r\n <{mailbox}>"
    return f'"{quote(name)}" <{mailbox}>'


def needs_encoding(value: str) -> bool:
    """Also for text that looks like an encoded word, or whose outer spaces would be lost."""
    return not value.isascii() or "=?" in value or value != value.strip()


def encode_words(value: str, indent: int) -> str:
    header = Header(value, "utf-8", maxlinelen=WIDTH - 1)
    return header.encode(linesep="\r\n", maxlinelen=WIDTH - indent)


def fold(line: str) -> str:
    """Breaks before white space; the first word stays beside the field's name."""
    name, *words = re.findall(r"[ \t]*[^ \t]+", line)
    lines = [name + "".join(words[:1])]
    for word in words[1:]:
        if len(lines[-1]) + len(word) <= WIDTH:
            lines[-1] += word
        else:
            lines.append(word)
    return "\r\n".join(lines)


def longest_word(value: str) -> int:
    return max(map(len, value.split()), default=0)
