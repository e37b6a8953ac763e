"""What a text may hold, depending on where it goes."""

import unicodedata

from app.items.refusals import Refused

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the order in which text is shown: they can make ``gpj.exe`` look safe."""

LINE_ENDS = frozenset({"Zl", "Zp"})


def check_text(value: object) -> str:
    """Text of any length that PostgreSQL and UTF-8 can hold."""
    if not isinstance(value, str):
        raise Refused("Must be text.")
    if "\0" in value:
        raise Refused("Must not hold a NUL character.")
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise Refused("Must be valid Unicode: it holds half of a surrogate pair.")
    return value


def check_line(value: object, longest: int) -> str:
    """Text on one line, without control characters: what may stand in a header field.

    A newline in a header begins a header of the sender's choice (RFC 5322 section 2.2).
    """
    text = check_text(value)
    if len(text) > longest:
        raise Refused(f"Must have at most {longest} characters.")
    if not text.isprintable() and any(map(is_control, text)):
        raise Refused("Must be one line without control characters.")
    return text


def is_control(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Cc" or category in LINE_ENDS


def check_name(value: object) -> str:
    """A person's name; ``None`` is none."""
    return "" if value is None else check_line(value, 255)


def check_subject(value: object) -> str:
    """A subject; RFC 5322 section 2.1.1 ends a line at 998 characters."""
    return check_line(value, 998)


def check_file_name(value: object) -> str:
    """The name that a file is shown under; never a place on a disk."""
    name = check_line(value, 255).strip()
    if not name:
        raise Refused("Must name the file.")
    if BIDI.intersection(name):
        raise Refused("Must not hold characters that change the direction of text.")
    return name
