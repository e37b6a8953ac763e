"""What only who has ``read_content`` sees: the one place that hides it, and says so.

A field of an answer that holds content is marked with :data:`CONTENT`; :func:`mask` makes it
``null`` (a list empty) for everybody else, wherever it is in the answer. A field ``masked`` beside
it then is true. Asking for items by content is refused to the same callers: the answer would tell.
"""

import functools
import types
from collections.abc import Iterable
from typing import Annotated, Any, TypeAliasType, cast, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, structs

from app.access.caller import Caller
from app.controllers.api.problems import Problem

PERMISSION = "read_content"

CONTENT = Meta(extra={"content": True}, extra_json_schema={"x-needs": PERMISSION})
"""Marks a field whose value is content: a subject, a body, an address, a name, a provider's text.

Its type must allow ``null`` or be a list: ``Annotated[str | None, CONTENT]``.
"""


def mask[S: Struct](caller: Caller, answer: S) -> S:
    """The answer as the caller may see it; the very same for who may see everything."""
    return answer if caller.may(PERMISSION) else hide(answer)


def hide[S: Struct](answer: S) -> S:
    """The answer without its content; fields that are not set stay so."""
    changes: dict[str, Any] = {}
    for name in answer.__struct_fields__:
        value = getattr(answer, name)
        if value is UNSET or value is None:
            continue
        if name in _content_of(type(answer)):
            changes[name] = [] if isinstance(value, list) else None
        elif (inner := _hide_inside(value)) is not value:
            changes[name] = inner
    if "masked" in answer.__struct_fields__:
        changes["masked"] = True
    return structs.replace(answer, **changes)


def require_content(caller: Caller, asked: Iterable[str]) -> None:
    """Raises 403 when the caller may not ask for items by these fields; it names what is needed.

    Call it before anything is looked up, so that a hit and a miss are refused alike.
    """
    names = sorted(asked)
    if names and not caller.may(PERMISSION):
        text = f"Asking by {' and '.join(names)} needs {PERMISSION}."
        raise Problem("forbidden", text, needs=[PERMISSION])


def _hide_inside(value: object) -> object:
    if isinstance(value, Struct):
        return hide(value)
    if isinstance(value, list):
        found = cast("list[object]", value)
        return [hide(one) if isinstance(one, Struct) else one for one in found]
    return value


@functools.cache
def _content_of(kind: type[Struct]) -> frozenset[str]:
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if _is_content(hint))


def _is_content(hint: object) -> bool:
    if isinstance(hint, TypeAliasType):
        return _is_content(hint.__value__)
    if get_origin(hint) is Annotated:
        kind, *marks = get_args(hint)
        return CONTENT in marks or _is_content(kind)
    if isinstance(hint, types.UnionType):
        return any(_is_content(part) for part in get_args(hint))
    return False
