"""An operation of the API as data: where it is, who may, what it takes and what it answers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from arvel.http.request import Request
from msgspec import Struct

from app.access.caller import Caller
from app.controllers.api.problems import Problem


class Nothing(Struct, forbid_unknown_fields=True):
    """No parameters, or no body."""


@dataclass(frozen=True, slots=True)
class Call[Query: Struct, Body: Struct]:
    """A request whose caller may make it, with everything in it checked for its form.

    ``request_id`` is ours, and goes into every line of history that the request causes.
    """

    request: Request
    request_id: UUID
    caller: Caller
    path: Mapping[str, str]
    query: Query
    body: Body

    def key(self, name: str = "id") -> UUID:
        """A UUID of the path; raises 404 for anything else, as for one that doesn't exist."""
        text = self.path[name]
        try:
            key = UUID(text)
        except ValueError:
            raise Problem("not-found") from None
        if str(key) != text.lower():
            raise Problem("not-found")
        return key


@dataclass(frozen=True, slots=True)
class Answer:
    """``body`` is anything that msgspec writes as JSON; ``None`` is no body at all."""

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


type Handler = Callable[[Call[Any, Any]], Awaitable[Any]]
"""Returns an :class:`Answer`, or any response of arvel's for what isn't JSON."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the API.

    ``permissions``: the caller needs them all; ``None`` is for everybody, without a token.
    ``body``: ``None`` where none is read. ``answers``: the body of each good status, ``None`` for
    an empty one. ``problems``: slugs beyond those that every operation may answer with.
    ``examples``: of request and first answer, shown in the docs and used by their tests.
    ``reads_body``: the handler reads the body itself. ``body_optional``: none is as good as ``{}``.
    ``produces``: the media type of its good answers.
    ``form``: what the document says of a body that is ``multipart/form-data``.
    ``hidden``: for whoever lacks a permission there is no such resource. ``leads_to``: where its
    good answers hold the id that other operations take (a JSON pointer), and which those are.
    """

    method: str
    path: str
    name: str
    summary: str
    description: str
    permissions: tuple[str, ...] | None
    handler: Handler
    tag: str
    query: type[Struct] = Nothing
    body: type[Struct] | None = None
    answers: Mapping[int, type[Any] | None] = field(default_factory=dict[int, "type[Any] | None"])
    problems: Sequence[str] = ()
    example: object = None
    answer_example: object = None
    max_body: int = 1_000_000
    reads_body: bool = False
    body_optional: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    media_types: Sequence[str] = ("application/json",)
    form: Mapping[str, object] | None = None
    produces: str = "application/json"
    hidden: bool = False
    leads_to: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
