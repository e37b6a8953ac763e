"""What is typed after the options of the sending commands."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from app.commands.answers import BadInput
from app.items import Inline

NAME_AND_ADDRESS = re.compile(r'"?([^"<>]*?)"?\s*<([^<>]*)>')


def read_person(text: str | None, kind: str) -> Mapping[str, str]:
    """``Anna <anna@example.com>`` or the address alone; ``kind`` is ``email`` or ``cell``."""
    found = NAME_AND_ADDRESS.fullmatch(text or "")
    if found:
        return {"name": found[1].strip(), kind: found[2].strip()}
    return {kind: (text or "").strip()}


def read_people(texts: Iterable[str]) -> list[Mapping[str, str]]:
    return [read_person(text, "email") for text in texts]


def read_text(text: str | None) -> str:
    """The text itself; ``-`` stands for what comes on stdin."""
    return sys.stdin.read() if text == "-" else text or ""


def read_time(option: str, text: str | None) -> datetime | None:
    """An ISO 8601 time with its zone."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(
            f"{option} must be a time such as 2026-05-01T09:00:00+02:00 or …Z (ISO 8601)."
        ) from None


def read_files(attached: Sequence[str], inline: Sequence[str]) -> dict[str, Path | Inline]:
    """Files by their own names; inline ones are given as ``content-id=path``."""
    files = [(Path(path).name, Path(path)) for path in attached]
    shown = [read_inline(text) for text in inline]
    together = [*files, *shown]
    found = dict[str, Path | Inline](together)
    if len(found) < len(together):
        raise BadInput("Two files have the same name: rename one of them.")
    return found


def read_inline(text: str) -> tuple[str, Inline]:
    content_id, given, path = text.partition("=")
    if not given or not path:
        raise BadInput(
            "--inline must be of the form content-id=path, such as logo=images/logo.png."
        )
    return Path(path).name, Inline(Path(path), content_id)


def read_headers(texts: Iterable[str]) -> dict[str, str]:
    pairs = [text.partition(":") for text in texts]
    if not all(colon for _, colon, _ in pairs):
        raise BadInput("--header must be of the form 'Name: value'.")
    return {name.strip(): value.strip() for name, _, value in pairs}
