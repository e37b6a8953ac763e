"""What happens around every operation: who asks, may they, is it well formed, what went wrong."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import msgspec
from arvel.http.request import Request
from arvel.http.response import Response
from arvel.kernel.logging import LogManager
from arvel.validation import ValidationException

from app.access.caller import Caller
from app.controllers.api import rate
from app.controllers.api.asking import identify
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem, respond
from app.controllers.api.query import read_query
from app.controllers.api.reading import convert, read_json, read_optional_json
from app.events import traces
from app.models.failures import is_unavailable

SAFE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

ANYBODY = Caller(uuid.UUID(int=0), None, "anybody", frozenset())

type Endpoint = Callable[..., Awaitable[Any]]


def endpoint(operation: Operation) -> Endpoint:
    """The route handler of an operation."""

    async def answer(request: Request, **_: object) -> object:
        request_id = uuid.uuid7()
        LogManager.with_context(request_id=str(request_id))
        traces.tell({traces.REQUEST: request_id})
        headers = {**SAFE, "x-request-id": str(request_id)}
        try:
            return await _answer(operation, request, request_id, headers)
        except Problem as problem:
            refused = respond(problem, str(request_id))
            refused.headers = {**headers, **refused.headers}
            return refused

    answer.__name__ = operation.name
    return answer


def one_of(endpoints: Mapping[str, Endpoint]) -> Endpoint:
    """The route handler of a path, by method."""

    async def answer(request: Request, **_: object) -> object:
        return await endpoints[request.method()](request)

    return answer


async def _answer(
    operation: Operation, request: Request, request_id: uuid.UUID, headers: dict[str, str]
) -> object:
    caller = ANYBODY
    if operation.permissions is not None:
        caller = await translated(operation.name, lambda: identify(request))
        if caller.token_id is not None:
            headers |= (await rate.count(caller.token_id)).headers
    result = await perform(operation, request, request_id, caller)
    if not isinstance(result, Answer):
        result.headers = {**headers, **result.headers}
        return result
    return render(result, headers)


async def perform(
    operation: Operation, request: Request, request_id: uuid.UUID, caller: Caller
) -> Any:
    """What a caller gets who is known already; raises :class:`Problem`."""
    needed = operation.permissions or ()
    if operation.hidden and not caller.may(*needed):
        raise Problem("not-found")
    require(caller, *needed)
    call = await _read(operation, request, request_id, caller)
    return await translated(operation.name, lambda: operation.handler(call))


def require(caller: Caller, *permissions: str) -> None:
    """Raises 403 naming the permissions that the caller lacks."""
    if missing := sorted(set(permissions) - caller.permissions):
        raise Problem("forbidden", f"This needs {' and '.join(missing)}.", needs=missing)


def render(answer: Answer, headers: dict[str, str]) -> Response:
    if answer.body is None:
        return Response(None, answer.status, headers={**headers, **answer.headers})
    return Response(
        msgspec.json.encode(answer.body),
        answer.status,
        headers={**headers, "content-type": "application/json", **answer.headers},
    )


async def _read(
    operation: Operation, request: Request, request_id: uuid.UUID, caller: Caller
) -> Call[Any, Any]:
    query = read_query(request, operation.query)
    body: object = Nothing()
    if operation.body is not None and not operation.reads_body:
        read = read_optional_json if operation.body_optional else read_json
        body = convert(await read(request, operation.max_body), operation.body)
    path = cast("dict[str, str]", request.raw.path_params)
    return Call(request, request_id, caller, path, query, body)


async def translated[T](name: str, work: Callable[[], Awaitable[T]]) -> T:
    """The result of ``work``; what it raises becomes a :class:`Problem`, logged if ours.

    ``name`` is that of the operation or page, for the log.
    """
    try:
        return await work()
    except Problem:
        raise
    except ValidationException as refusal:
        raise Problem.invalid(cast("dict[str, list[str]]", refusal.errors)) from None
    except Exception as error:
        if is_unavailable(error):
            _log(name, "request_not_served", error)
            raise Problem("unavailable", headers={"retry-after": "5"}) from None
        _log(name, "request_failed", error)
        raise Problem("failed") from None


def _log(name: str, action: str, error: Exception) -> None:
    # The place and the kind: texts of libraries may repeat addresses and content.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}"
    LogManager().channel("api").error(
        action, operation=name, error=type(error).__name__, place=place
    )
