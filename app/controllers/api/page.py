"""What the page of the API shows, made from the same table as the OpenAPI document."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from app.access.permissions import PERMISSIONS
from app.controllers.api.openapi import REFERENCE, problems_of
from app.controllers.api.operation import Operation
from app.controllers.api.problems import KINDS

DEEPEST = 4

type Json = Mapping[str, Any]


class Field(NamedTuple):
    name: str
    type: str
    required: bool
    text: str


class Shown(NamedTuple):
    """An operation as the page shows it."""

    operation: Operation
    query: list[Field]
    body: list[Field]
    answers: list[tuple[int, list[Field]]]
    curl: str
    answer: str
    problems: list[Any]


def describe(operations: Sequence[Operation]) -> dict[str, Any]:
    """The names that the template reads."""
    groups: dict[str, list[Shown]] = {}
    for operation in operations:
        groups.setdefault(operation.tag, []).append(_show(operation))
    return {"groups": groups, "kinds": list(KINDS.values()), "permissions": dict(PERMISSIONS)}


def _show(operation: Operation) -> Shown:
    example = operation.answer_example
    return Shown(
        operation,
        list(fields_of(operation.query)),
        list(fields_of(operation.body)) if operation.body else [],
        [(s, list(fields_of(kind))) for s, kind in operation.answers.items() if kind],
        _curl(operation),
        "" if example is None else json.dumps(example, indent=2),
        sorted((KINDS[slug] for slug in problems_of(operation)), key=lambda kind: kind.status),
    )


def _curl(operation: Operation) -> str:
    lines = [f"curl -X {operation.method} $PILLARBOX/api{operation.path}"]
    if operation.permissions is not None:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if operation.example is not None:
        lines.append('-H "Content-Type: application/json"')
        lines.append(f"-d '{json.dumps(operation.example, indent=2)}'")
    return " \\\n  ".join(lines)


def fields_of(kind: Any) -> Iterator[Field]:
    """The fields of a struct and of the structs in it, as ``to.*.email``."""
    (schema,), components = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    yield from _walk("", schema, components, DEEPEST)


def _walk(prefix: str, schema: Json, components: Json, depth: int) -> Iterator[Field]:
    schema = _resolve(schema, components)
    required = schema.get("required", ())
    for name, given in schema.get("properties", {}).items():
        place = f"{prefix}{name}"
        yield Field(place, _type(given, components), name in required, given.get("description", ""))
        for inner, step in _inside(given, components):
            if depth:
                yield from _walk(f"{place}{step}.", inner, components, depth - 1)


def _inside(schema: Json, components: Json) -> Iterator[tuple[Json, str]]:
    for choice in schema.get("anyOf", [schema]):
        found = _resolve(choice, components)
        if found.get("type") == "array" and isinstance(found.get("items"), Mapping):
            yield from ((inner, f".*{step}") for inner, step in _inside(found["items"], components))
        elif "properties" in found:
            yield found, ""


def _resolve(schema: Json, components: Json) -> Json:
    reference = str(schema.get("$ref", ""))
    return components[reference.rpartition("/")[2]] if reference else schema


def _type(schema: Json, components: Json) -> str:
    found = [_plain(_resolve(choice, components)) for choice in schema.get("anyOf", [schema])]
    return " or ".join(dict.fromkeys(found))


def _plain(schema: Json) -> str:
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    kind = str(schema.get("type", "any"))
    return f"{kind} ({schema['format']})" if "format" in schema else kind
