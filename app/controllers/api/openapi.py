"""The OpenAPI 3.1 document of a table of operations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from app.controllers.api.operation import Operation
from app.controllers.api.problems import KINDS, MEDIA_TYPE

REFERENCE = "#/components/schemas/{name}"

ALWAYS = ("failed", "unavailable")
WITH_TOKEN = ("unauthenticated", "forbidden", "too-many-requests")
WITH_BODY = ("malformed", "timeout", "too-large", "unsupported-media-type", "invalid")
WITH_QUERY = ("malformed", "invalid")
WITH_KEY = ("not-found",)

PROBLEM: dict[str, object] = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail", "request_id"],
    "properties": {
        "type": {"type": "string", "description": "The kind of problem: an address that says more"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "request_id": {"type": "string", "description": "Name it when you ask for help"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}

HEADER: dict[str, object] = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": "^[!-~]([ -~]*[!-~])?$",
}

type Json = dict[str, Any]


def document(operations: Sequence[Operation]) -> Json:
    """The whole document. Whatever a caller may see of the API is in it, and nothing else."""
    schemas, components = _schemas(operations)
    paths: dict[str, Json] = {}
    for operation in operations:
        paths.setdefault(f"/api{operation.path}", {})[operation.method.lower()] = _describe(
            operation, schemas
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pillarbox",
            "version": "1",
            "description": "Queues, sends, tracks and operates transactional email and SMS.",
        },
        "tags": [{"name": name} for name in dict.fromkeys(o.tag for o in operations)],
        "paths": paths,
        "components": {
            "schemas": {**components, "Problem": PROBLEM},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token that `arvel dispatch:token` issued: `plb_…`",
                }
            },
        },
    }


def problems_of(operation: Operation) -> tuple[str, ...]:
    """The slugs of all that may go wrong with an operation."""
    groups = (
        WITH_TOKEN if operation.permissions is not None else (),
        WITH_BODY if operation.body is not None else (),
        WITH_QUERY,
        WITH_KEY if "{" in operation.path else (),
        operation.problems,
        ALWAYS,
    )
    return tuple(dict.fromkeys(slug for group in groups for slug in group))


def _schemas(operations: Iterable[Operation]) -> tuple[dict[Any, Json], Json]:
    types = list(
        dict.fromkeys(
            kind
            for operation in operations
            for kind in (operation.query, operation.body, *operation.answers.values())
            if kind is not None
        )
    )
    made, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    return dict(zip(types, made, strict=True)), components


def _describe(operation: Operation, schemas: Mapping[Any, Json]) -> Json:
    described: Json = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": _description(operation),
        "parameters": [*_path_parameters(operation), *_query_parameters(operation)],
        "responses": {**_answers(operation, schemas), **_problems(operation)},
        "security": [] if operation.permissions is None else [{"token": []}],
    }
    described["parameters"] += [
        {"name": name, "in": "header", "description": text, "schema": HEADER}
        for name, text in operation.headers.items()
    ]
    if operation.body is not None:
        content: Json = {"schema": schemas[operation.body]}
        if operation.example is not None:
            content["example"] = operation.example
        described["requestBody"] = {
            "required": not operation.body_optional,
            "content": {
                media_type: operation.form if "form-data" in media_type else content
                for media_type in operation.media_types
            },
        }
    return described


def _description(operation: Operation) -> str:
    if not operation.permissions:
        return operation.description
    names = ", ".join(f"`{name}`" for name in operation.permissions)
    return f"{operation.description}\n\nNeeds {names}."


def _path_parameters(operation: Operation) -> Iterator[Json]:
    for part in operation.path.split("/"):
        if part.startswith("{"):
            name = part.strip("{}").partition(":")[0]
            schema = {"type": "string", "format": "uuid"} if name == "id" else {"type": "string"}
            yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(operation: Operation) -> Iterator[Json]:
    if not msgspec.structs.fields(operation.query):
        return
    _, components = msgspec.json.schema_components([operation.query], ref_template=REFERENCE)
    schema: Json = components[operation.query.__name__]
    for name, described in schema["properties"].items():
        text = described.pop("description", "")
        yield {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": text,
            "schema": described,
        }


def _answers(operation: Operation, schemas: Mapping[Any, Json]) -> Json:
    answers: Json = {}
    for status, kind in operation.answers.items():
        answer: Json = {"description": HTTPStatus(status).phrase}
        if kind is not None:
            content: Json = {} if kind is bytes else {"schema": schemas[kind]}
            if operation.answer_example is not None and not answers:
                content["example"] = operation.answer_example
            answer["content"] = {operation.produces: content}
        if operation.leads_to:
            answer["links"] = _links(operation)
        answers[str(status)] = answer
    return answers


def _links(operation: Operation) -> Json:
    return {
        name: {"operationId": name, "parameters": {"id": f"$response.body#{pointer}"}}
        for pointer, names in operation.leads_to.items()
        for name in names
    }


def _problems(operation: Operation) -> Json:
    by_status: dict[int, list[str]] = {}
    for slug in problems_of(operation):
        by_status.setdefault(KINDS[slug].status, []).append(KINDS[slug].title)
    schema = {"$ref": REFERENCE.format(name="Problem")}
    return {
        str(status): {
            "description": "; or ".join(titles),
            "content": {MEDIA_TYPE: {"schema": schema}},
        }
        for status, titles in sorted(by_status.items())
    }
