"""Asks the API's operations, in this process, as whoever is signed in."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import litestar
import msgspec
from arvel.http.request import Request

from app.controllers.api.operation import Answer, Operation
from app.controllers.api.problems import Problem
from app.controllers.api.serve import perform
from app.controllers.api.table import OPERATIONS
from app.controllers.console.page import Visit

_by_name = {operation.name: operation for operation in OPERATIONS}


async def ask(
    visit: Visit,
    name: str,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, object] | None = None,
    body: object = None,
    key: str = "",
) -> Any:
    """What the operation of that name answers with; raises the :class:`Problem` that it does.

    ``key`` is an idempotency key: asked twice under the same, nothing is sent twice.
    """
    operation = _by_name[name]
    request = _request(operation, visit, path or {}, query or {}, body, key)
    answer = await perform(operation, request, visit.request_id, visit.caller)
    return answer.body if isinstance(answer, Answer) else answer


async def try_asking(visit: Visit, name: str, **asked: Any) -> Any | Problem:
    """The same, with a refusal as an answer."""
    try:
        return await ask(visit, name, **asked)
    except Problem as problem:
        return problem


def may_ask(visit: Visit, name: str) -> bool:
    return visit.caller.may(*(_by_name[name].permissions or ()))


def lacking(visit: Visit, name: str) -> list[str]:
    """The permissions that the person would need besides."""
    return sorted(set(_by_name[name].permissions or ()) - visit.caller.permissions)


def _request(
    operation: Operation,
    visit: Visit,
    path: Mapping[str, str],
    query: Mapping[str, object],
    body: object,
    key: str,
) -> Request:
    content = b"" if body is None else msgspec.json.encode(body)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(content)).encode()),
    ]
    if key:
        headers.append((b"idempotency-key", key.encode()))
    given = {name: value for name, value in query.items() if value not in (None, "", [])}
    scope: Any = {
        **visit.request.raw.scope,
        "method": operation.method,
        "path": f"/api{operation.path.format(**path)}",
        "query_string": urlencode(given, doseq=True).encode(),
        "headers": headers,
        "path_params": dict(path),
        "state": {},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": content, "more_body": False}

    return Request(litestar.Request(scope, receive))
