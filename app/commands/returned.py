"""Metadata as a provider returned them: numbers are numbers again where they came as such."""

from collections.abc import Iterator, Mapping
from typing import cast

from app.transports.http.objects import Object, read_object, texts_of

DEEPEST = 8


def as_returned(metadata: Mapping[str, str], raw: Object) -> Mapping[str, object]:
    """The values of the object in the report that these are the texts of; else the texts."""
    if not metadata:
        return metadata
    found = next((one for one in objects_within(raw) if texts_of(one) == metadata), metadata)
    return {name: found[name] for name in metadata}


def objects_within(content: object, depth: int = 0) -> Iterator[Object]:
    """All objects in a report, also those that stand in it as a text."""
    if depth > DEEPEST:
        return
    match content:
        case str() if content.lstrip().startswith("{"):
            yield from objects_within(read_object(content.encode("utf-8", "replace")), depth + 1)
        case dict():
            inner = cast("dict[str, object]", content)
            yield inner
            for value in inner.values():
                yield from objects_within(value, depth + 1)
        case list():
            for value in cast("list[object]", content):
                yield from objects_within(value, depth + 1)
        case _:
            pass
