"""What happens around every page: who is here, may they, and what they get."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import cast
from urllib.parse import quote

from arvel.http.flash import FlashBag
from arvel.http.request import Request
from arvel.http.response import Response
from arvel.kernel.logging import LogManager

from app.controllers.api.problems import Problem
from app.controllers.api.serve import ANYBODY, require, translated
from app.controllers.console import forms, troubles
from app.controllers.console.forms import Form
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.render import HEADERS, render
from app.controllers.console.signing_in.standing import who_is

SIGN_IN = "/console/sign-in"

PLAIN = {"content-type": "text/plain; charset=utf-8"}

type Endpoint = Callable[..., Awaitable[object]]


def endpoint(page: Page) -> Endpoint:
    """The route handler of a page."""

    async def answer(request: Request, **_: object) -> object:
        visit = begin(request)
        try:
            caller = await translated(page.path, lambda: who_is(request))
            visit = replace(visit, caller=caller or ANYBODY)
            visit = replace(visit, query=forms.read_query(request))
            return await translated(page.path, lambda: _respond(page, visit))
        except Problem as problem:
            return await refuse(visit, problem)

    answer.__name__ = f"console_{page.handler.__name__}"
    return answer


def one_of(endpoints: Mapping[str, Endpoint]) -> Endpoint:
    """The route handler of a path, by method."""

    async def answer(request: Request, **_: object) -> object:
        return await endpoints[request.method()](request)

    return answer


def begin(request: Request) -> Visit:
    """A visit of nobody in particular, whose address was not read yet."""
    request_id = uuid.uuid7()
    LogManager.with_context(request_id=str(request_id))
    filled = cast("Form | None", getattr(request, "filled_form", None))
    path = cast("dict[str, str]", request.raw.path_params)
    return Visit(request, request_id, ANYBODY, path, Form(), filled or Form())


async def refuse(visit: Visit, problem: Problem) -> Response:
    return await render(troubles.describe(problem, str(visit.request_id)), visit)


async def _respond(page: Page, visit: Visit) -> object:
    if page.needs is not None and not visit.is_signed_in:
        return redirect(visit, GoTo(f"{SIGN_IN}?then={quote(_wanted(page, visit))}"))
    require(visit.caller, *(page.needs or ()))
    return await respond(await page.handler(visit), visit)


async def respond(answer: Answer, visit: Visit) -> object:
    if isinstance(answer, Show):
        return await render(answer, visit)
    if isinstance(answer, GoTo):
        return redirect(visit, answer)
    answer.headers = {**HEADERS, **answer.headers}
    return answer


def redirect(visit: Visit, answer: GoTo) -> Response:
    """303, so that a page that is loaded anew does nothing again."""
    if answer.notice:
        kind = "trouble" if answer.trouble else "notice"
        FlashBag(visit.request.session).flash(kind, answer.notice)
    return Response(b"", 303, headers={**HEADERS, **PLAIN, "location": answer.address})


def _wanted(page: Page, visit: Visit) -> str:
    """Where somebody was going; not what they were doing, which is done by them alone."""
    if page.changes:
        return "/console"
    return f"{visit.request.path()}{visit.query.having()}".removesuffix("?")
