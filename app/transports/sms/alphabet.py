"""How a text travels as SMS: in which alphabet, and in how many segments.

Source: 3GPP TS 23.038 section 6.2.1 (the default alphabet and its extension table) and TS 23.040
section 9.2.3.24 (concatenation, which takes 6 octets of each segment).
"""

from collections.abc import Iterable
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
    sizes = [units_of(character, encoding) for character in text]
    units = sum(sizes)
    segments = 1 if units <= ALONE[encoding] else count_segments(sizes, JOINED[encoding])
    return Encoded(encoding, units, segments, foreign)


def units_of(character: str, encoding: str) -> int:
    if encoding == GSM_7:
        return 2 if character in EXTENDED else 1
    return 2 if ord(character) > 0xFFFF else 1


def count_segments(sizes: Iterable[int], room: int) -> int:
    """Segments that hold characters of these sizes, none of them divided."""
    segments, left = 1, room
    for size in sizes:
        if size > left:
            segments, left = segments + 1, room
        left -= size
    return segments
