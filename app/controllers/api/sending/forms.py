"""Reads an email with its files from ``multipart/form-data`` (RFC 7578), within bounds."""

import contextlib
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, cast

from multipart import (
    MultipartError,
    MultipartSegment,
    ParserLimitReached,
    PushMultipartParser,
    parse_options_header,  # pyright: ignore[reportUnknownVariableType]  # it has no types
)

from app.controllers.api.problems import Problem

MOST_PARTS = 51
"""The message and as many files as it may have."""
MOST_HEADERS = 8
LONGEST_HEADER = 4096

PLAIN = frozenset({"", "binary", "8bit", "7bit"})


@dataclass(slots=True)
class Part:
    """A part as it came. ``file_name`` is ``None`` for one that is no file."""

    name: str
    file_name: str | None
    content_type: str | None
    content_id: str | None
    content: bytearray = field(default_factory=bytearray)

    def facts(self) -> tuple[str, ...]:
        """All that tells two parts apart, their contents aside."""
        optional = (self.file_name, self.content_type, self.content_id)
        return (self.name, *("" if one is None else f"={one}" for one in optional))


class Form:
    """Takes a body piece by piece; ``parts`` are those that have begun so far."""

    def __init__(self, content_type: str, limit: int) -> None:
        """Raises :class:`Problem` when the content type names no boundary."""
        _, options = cast("Any", parse_options_header)(content_type)
        with _translated():
            self._parser = PushMultipartParser(
                options.get("boundary", ""),
                max_header_size=LONGEST_HEADER,
                max_header_count=MOST_HEADERS,
                max_segment_size=limit,
                max_segment_count=MOST_PARTS,
                strict=True,
            )
        self.parts: list[Part] = []

    def feed(self, piece: bytes) -> None:
        """Raises :class:`Problem` as soon as a bound is passed or the form can't be read."""
        with _translated():
            for event in self._parser.parse(piece) if piece else ():
                if isinstance(event, MultipartSegment):
                    self.parts.append(begin(event))
                elif event:
                    self.parts[-1].content += event

    def end(self) -> None:
        """Raises :class:`Problem` when the body ended too early."""
        with _translated():
            self._parser.close()


def begin(segment: MultipartSegment) -> Part:
    if (header(segment, "Content-Transfer-Encoding") or "").strip().lower() not in PLAIN:
        raise Problem("malformed", "Send the parts as they are, without a transfer encoding.")
    content_id = header(segment, "Content-Id")
    return Part(
        name=segment.name or "",
        file_name=segment.filename,
        content_type=header(segment, "Content-Type"),
        content_id=None if content_id is None else strip_brackets(content_id),
    )


def header(segment: MultipartSegment, name: str) -> str | None:
    return cast("Any", segment).header(name)


def strip_brackets(content_id: str) -> str:
    inner = content_id.strip()
    return inner[1:-1] if inner.startswith("<") and inner.endswith(">") else inner


@contextlib.contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except ParserLimitReached:
        text = f"At most {MOST_PARTS} parts, each with {MOST_HEADERS} short header lines."
        raise Problem("too-large", text, headers={"connection": "close"}) from None
    except MultipartError:
        text = "The body is not multipart/form-data, or ends too early."
        raise Problem("malformed", text, headers={"connection": "close"}) from None
