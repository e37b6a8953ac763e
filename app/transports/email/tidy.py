"""Texts of providers, made fit to be stored and shown."""

import unicodedata
from collections.abc import Iterable

LONGEST_TEXT = 2_000

BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def tidy(text: str, secrets: Iterable[str]) -> str:
    """``text`` as it may be stored: without secrets and control characters, and not too long."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    for secret in secrets:
        text = text.replace(secret, "***")
    return "".join(map(tidy_character, text))[:LONGEST_TEXT].strip()


def tidy_character(character: str) -> str:
    if character in BIDI_CONTROLS:
        return ""
    return " " if unicodedata.category(character) in ("Cc", "Zl", "Zp") else character
