"""How commands answer: results on stdout, what is wrong on stderr, exit codes as everywhere.

0 is success, 1 that the thing asked for isn't there, 2 that the arguments can't be used.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, cast, override
from uuid import UUID

from arvel.console import Command

from app.items import InvalidMessage

OK = 0
NOT_FOUND = 1
BAD_INPUT = 2

SURROGATE = re.compile("[\ud800-\udfff]")
"""How Python holds bytes of the command line that are not UTF-8 (PEP 383)."""

NAMED = frozenset({"attachments", "headers"})


class BadInput(Exception):
    """What is wrong with the arguments, ready to be shown."""


class Answer(Command):
    """A command that names what is wrong with its arguments, each thing on a line of stderr."""

    options: ClassVar[Mapping[str, str]] = {}
    """Options whose names differ from the fields that they fill."""

    @override
    async def handle(self, *deps: Any) -> int:
        try:
            _require_text((*self._arguments.values(), *self._options.values()))
            return await self.answer()
        except BadInput as bad:
            self.error(str(bad))
        except InvalidMessage as refusal:
            for field, texts in cast("Mapping[str, list[str]]", refusal.errors).items():
                self.error(f"{name_option(field, self.options)}: {' '.join(texts)}")
        return BAD_INPUT

    async def answer(self) -> int:
        """Does what was asked and returns the exit code; raises :class:`BadInput`."""
        raise NotImplementedError

    def text_of(self, name: str) -> str | None:
        return cast("str | None", self.option(name))

    def texts_of(self, name: str) -> list[str]:
        return cast("list[str] | None", self.option(name)) or []


def _require_text(given: Iterable[object]) -> None:
    """Raises :class:`BadInput` for what the shell handed over as bytes that are no text."""
    lists = (cast("list[object]", one) if isinstance(one, list) else [one] for one in given)
    if any(SURROGATE.search(str(part)) for parts in lists for part in parts):
        raise BadInput("Something on the command line is not valid UTF-8.")


def name_option(field: str, options: Mapping[str, str]) -> str:
    """The option that filled a field: ``to.1.email`` is ``--to no. 2``."""
    role, _, rest = field.partition(".")
    place = rest if role in NAMED else rest.partition(".")[0]
    if place.isascii() and place.isdigit():
        place = f"no. {int(place) + 1}"
    elif role not in NAMED:
        place = ""
    option = options.get(role, f"--{role.replace('_', '-')}")
    return plain(f"{option} {place}".strip())


def read_uuid(name: str, text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadInput(f"{name} must be an item's id, as dispatch:list shows it.") from None


def read_choice(name: str, text: str | None, choices: Iterable[str]) -> str | None:
    if text is None or text in choices:
        return text
    raise BadInput(f"{name} must be one of: {', '.join(choices)}.")


def plain(text: object) -> str:
    """Text from outside without what a terminal would obey instead of showing it."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(text))


def shorten(text: object, width: int) -> str:
    shown = plain("" if text is None else text)
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def show_person(name: str, address: str) -> str:
    return plain(f"{name} <{address}>" if name else address)


def show_time(time: datetime | None) -> str:
    return "" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"
