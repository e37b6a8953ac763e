"""A Mailgun domain over HTTP on a real socket of the loopback.

``events`` are those that it lists for any message; its filters work by ``message-id`` and
``recipient``.
"""

import base64
import ssl
from collections.abc import Sequence
from email.parser import BytesParser
from email.policy import HTTP
from email.utils import parseaddr
from functools import cache
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi

DOMAIN = "mg.example.com"

type Field = tuple[str, str | None, str | None, bytes]
"""Name, file's name, content type, content."""


class FakeMailgun(FakeApi):
    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.events: list[dict[str, Any]] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post(f"/{DOMAIN}/messages", self.take),
            web.get(f"/{DOMAIN}/events", self.list_events),
            web.post("/{tail:.*}", self.greet),
        ]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        expected = base64.b64encode(f"api:{self.key}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {expected}":
            return web.Response(status=401, text="Forbidden")
        if request.method == "POST" and request.content_type != "multipart/form-data":
            return web.json_response({"message": "no form"}, status=400)
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return parseaddr(texts_of(body, "to")[0])[1]

    @override
    def answer(self, body: bytes) -> Any:
        return {"id": f"<{len(self.bodies)}.0A@{DOMAIN}>", "message": "Queued. Thank you."}

    async def greet(self, request: web.Request) -> web.StreamResponse:
        return web.Response(text="Mailgun Magnificent API")

    async def list_events(self, request: web.Request) -> web.StreamResponse:
        self.queries.append(dict(request.query))
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        wanted = request.query.get("message-id")
        listed = [e for e in self.events if wanted in {None, e["message"]["headers"]["message-id"]}]
        return self.refusal(request) or web.json_response({"items": listed, "paging": {}})


@cache
def fields_of(body: bytes) -> list[Field]:
    """The fields of a form; its boundary is the first line."""
    boundary = body.partition(b"\r\n")[0].removeprefix(b"--")
    head = b'Content-Type: multipart/form-data; boundary="' + boundary + b'"\r\n\r\n'
    form = BytesParser(policy=HTTP).parsebytes(head + body)
    return [field_of(part) for part in form.iter_parts()]


def field_of(part: Any) -> Field:
    parameters = part["Content-Disposition"].params
    kind = part.get("Content-Type")
    return parameters["name"], parameters.get("filename"), kind, part.get_payload(decode=True)


def texts_of(body: bytes, name: str) -> list[str]:
    return [content.decode() for given, _, _, content in fields_of(body) if given == name]
