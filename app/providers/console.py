"""Wires the operator's console: its words in templates, and pages for what has none."""

from typing import Any, override

from arvel.http.response import Response
from arvel.kernel import ServiceProvider
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException

from app.controllers.console import assets, marks, times, words
from app.controllers.console.render import HEADERS

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{style}"><main class="lonely"><h1>{title}</h1><p>{text}</p>
<p><a href="/console">Back to the console</a></p></main></html>"""

GONE = ("There is nothing here", "The address is wrong, or what was there has another one now.")
AWAY = (
    "A server that this needs does not answer",
    "Messages that were accepted are safe. Try again in a few seconds; arvel dispatch:doctor says"
    " which server it is.",
)


class ConsoleProvider(ServiceProvider):
    @override
    def boot(self) -> None:
        environment: Any = self.app.make("view").env
        environment.filters |= {
            "ago": times.ago,
            "at": times.at,
            "span": times.span,
            "size": words.size,
            "number": words.number,
        }
        environment.globals |= {
            "asset_address": assets.address,
            "mark": marks.mark,
            "state_of": marks.state_of,
            "plural": words.plural,
            "METHODS": words.METHODS,
            "STATES": words.STATES,
        }
        handler: Any = self.app.make("exceptions")
        handler.renderable(NotFoundException, _no_page)
        handler.renderable(MethodNotAllowedException, _no_page)
        handler.renderable(Exception, _no_session)


def _no_page(error: HTTPException, request: Any) -> Response | None:
    """Nobody's session was looked at, so it says nothing more."""
    return _page(request, error.status_code, *GONE)


def _no_session(error: Exception, request: Any) -> Response | None:
    """What goes wrong before a page is asked for: sessions can't be read."""
    return None if isinstance(error, HTTPException) else _page(request, 503, *AWAY)


def _page(request: Any, status: int, title: str, text: str) -> Response | None:
    """``None`` outside the console."""
    if not request.scope["path"].startswith("/console"):
        return None
    page = PAGE.format(title=title, text=text, style=assets.address("console.css"))
    headers = {**HEADERS, "content-type": "text/html; charset=utf-8"}
    return Response(page, status, headers=headers)
