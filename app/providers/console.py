"""Wires the operator's console: its words in templates, and pages for what has none."""

from typing import Any, override

from arvel.http.response import Response
from arvel.kernel import ServiceProvider
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException

from app.controllers.console import assets, marks, times, words
from app.controllers.console.render import HEADERS

GONE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Nothing here</title>
<link rel="stylesheet" href="{style}"><main class="lonely"><h1>There is nothing here</h1>
<p><a href="/console">Back to the console</a></p></main></html>"""


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


def _no_page(error: HTTPException, request: Any) -> Response | None:
    """``None`` outside the console. Nobody's session is looked at, so it says nothing more."""
    if not request.scope["path"].startswith("/console"):
        return None
    page = GONE.format(style=assets.address("console.css"))
    headers = {**HEADERS, "content-type": "text/html; charset=utf-8"}
    return Response(page, error.status_code, headers=headers)
