"""JSON objects to and from providers: the same bytes for the same object, and no surprises."""

import json
from collections.abc import Mapping
from typing import NoReturn, cast

type Object = Mapping[str, object]

NOTHING: Object = {}


def write_object(content: Object) -> bytes:
    """UTF-8, in the order given; raises ``UnicodeEncodeError`` for half a surrogate pair."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def read_object(body: bytes | None) -> Object | None:
    """The object that ``body`` is, or ``None`` when it is none; see :func:`read_json`."""
    content = read_json(body)
    return cast("Object", content) if isinstance(content, dict) else None


def read_array(body: bytes | None) -> list[object] | None:
    """The array that ``body`` is, or ``None`` when it is none; see :func:`read_json`."""
    content = read_json(body)
    return cast("list[object]", content) if isinstance(content, list) else None


def read_json(body: bytes | None) -> object:
    """What ``body`` says, or ``None`` when it can't be read.

    All of it can be stored: there is neither a NUL character nor half a surrogate pair nor a
    number that JSON doesn't know, which PostgreSQL would refuse.
    """
    try:
        text = (body or b"").decode("utf-8-sig")
        content: object = json.loads(text, parse_constant=refuse_constant, parse_float=read_float)
        return scrub(content) if "\\u" in text else content
    except ValueError, RecursionError:
        return None


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON.")


def read_float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        refuse_constant(text)
    return number


def scrub(content: object) -> object:
    """Escapes in JSON may stand for what is no character."""
    match content:
        case str():
            return (
                content.replace("\0", "\ufffd")
                .encode("utf-16", "surrogatepass")
                .decode("utf-16", "replace")
            )
        case list():
            return [scrub(one) for one in cast("list[object]", content)]
        case dict():
            pairs = cast("dict[str, object]", content).items()
            return {str(scrub(name)): scrub(value) for name, value in pairs}
        case _:
            return content


def as_object(content: object) -> Object:
    """``content`` if it is an object; else an empty one."""
    return cast("Object", content) if isinstance(content, dict) else NOTHING


def texts_of(content: Object) -> dict[str, str]:
    """The fields that hold a text or a number, as texts. Metadata comes back in both forms."""
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in content.items()
        if isinstance(value, str | int | float)
    }


def list_in(content: Object, name: str) -> list[object]:
    """The list in a field; an empty one where there is none."""
    value = content.get(name)
    return cast("list[object]", value) if isinstance(value, list) else []


def text_in(content: Object, *names: str) -> str:
    """The first of these fields that holds a text or a whole number, as text; else empty."""
    for name in names:
        value = content.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return ""


def object_in(content: Object, name: str) -> Object:
    """The object in a field; an empty one where there is none."""
    return as_object(content.get(name))


def objects_in(content: Object, name: str) -> list[Object] | None:
    """The objects of a list in a field; ``None`` where there is no list of objects."""
    value = content.get(name)
    if not isinstance(value, list):
        return None
    members = cast("list[object]", value)
    if not all(isinstance(member, dict) for member in members):
        return None
    return cast("list[Object]", members)
