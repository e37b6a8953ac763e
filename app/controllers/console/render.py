"""From a template to an answer, and to none where the reader has it already."""

import hashlib
import re
from collections.abc import Mapping

from arvel.http.response import Response
from arvel.views import View

from app.controllers.console import frame
from app.controllers.console.page import Show, Visit

HEADERS = {
    "cache-control": "private, no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'none';"
        " connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
HTML = {"content-type": "text/html; charset=utf-8"}

PASSING = re.compile(r"(<time [^>]*>)[^<]*")
"""How long ago something was: the reader's own clock tells, so that it makes no page new."""


async def render(shown: Show, visit: Visit) -> Response:
    """The page; 304 for who names it as the one that is shown already."""
    data = {**await frame.surround(visit), **shown.data}
    html = await View(f"console/{shown.template}.html", data).render()
    headers: dict[str, str] = {**HEADERS, **HTML, **shown.headers}
    if shown.status != 200 or visit.request.method() != "GET":
        return Response(html, shown.status, headers=headers)
    headers["etag"] = tag_of(html)
    if visit.request.header("if-none-match") == headers["etag"]:
        return Response(b"", 304, headers=without_type(headers))
    return Response(html, 200, headers=headers)


def tag_of(html: str) -> str:
    return f'"{hashlib.sha256(PASSING.sub(r"\1", html).encode()).hexdigest()[:32]}"'


def without_type(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name != "content-type"}
