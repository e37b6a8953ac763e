"""A page of the console as data: where it is, who may see it, and what answers for it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from arvel.http.request import Request
from arvel.http.response import Response, StreamValue

from app.access.caller import Caller
from app.controllers.api.serve import ANYBODY
from app.controllers.console.forms import Form


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of a person. ``caller`` is nobody in particular on pages for everybody.

    ``form`` is what was filled in, ``query`` what the address says behind its question mark.
    """

    request: Request
    request_id: UUID
    caller: Caller
    path: Mapping[str, str]
    query: Form
    form: Form

    @property
    def is_signed_in(self) -> bool:
        return self.caller is not ANYBODY


@dataclass(frozen=True, slots=True)
class Show:
    """A template and what it is filled with."""

    template: str
    data: Mapping[str, object] = field(default_factory=dict[str, object])
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class GoTo:
    """Another page of the console, which begins with a notice."""

    address: str
    notice: str = ""
    trouble: bool = False


type Answer = Show | GoTo | Response | StreamValue
type Handler = Callable[[Visit], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Page:
    """``needs`` are permissions; ``None`` is for everybody, signed in or not.

    ``changes``: it is sent by a form, with POST; else it is looked at, with GET.
    """

    path: str
    handler: Handler
    needs: tuple[str, ...] | None = ()
    changes: bool = False
