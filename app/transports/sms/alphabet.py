"""How a text travels as SMS: in which alphabet, and in how many segments.

Source: 3GPP TS 23.038 section 6.2.1 (the default alphabet and its extension table) and TS 23.040
section 9.2.3.24 (concatenation, which takes 6 octets of each segment).
"""

from dataclasses import dataclass

BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
EXTENDED = frozenset("\f^{}\\[~]|€")
"""Two septets each, which are never divided between segments."""

GSM_7 = "GSM-7"
UCS_2 = "UCS-2"

ALONE = {GSM_7: 160, UCS_2: 70}
JOINED = {GSM_7: 153, UCS_2: 67}
"""Units (septets, or 16 bits) of a segment, when there is one or there are several."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """``foreign``: positions of the characters that GSM-7 lacks, which make it UCS-2."""

    encoding: str
    units: int
    segments: int
    foreign: tuple[int, ...]


def encode(text: str) -> Encoded:
    """What a text comes to. Nothing is replaced: one foreign character makes all of it UCS-2."""
    foreign = tuple(n for n, c in enumerate(text) if c not in BASIC and c not in EXTENDED)
    encoding = UCS_2 if foreign else GSM_7
    units = sum(units_of(character, encoding) for character in text)
    return Encoded(encoding, units, len(divide(text, encoding, units)), foreign)


def split(text: str) -> list[str]:
    """The segments of a text; one, that may be empty, at least."""
    encoded = encode(text)
    return divide(text, encoded.encoding, encoded.units)


def units_of(character: str, encoding: str) -> int:
    if encoding == GSM_7:
        return 2 if character in EXTENDED else 1
    return 2 if ord(character) > 0xFFFF else 1


def divide(text: str, encoding: str, units: int) -> list[str]:
    """What each segment of a text of so many units holds; no character is divided."""
    room = ALONE[encoding] if units <= ALONE[encoding] else JOINED[encoding]
    parts, left = [""], room
    for character in text:
        size = units_of(character, encoding)
        if size > left:
            parts.append("")
            left = room
        parts[-1] += character
        left -= size
    return parts
