"""Which arguments a job takes, read from its constructor: ids, numbers, short words, lists of them.

A value is judged in the form in which it travels, as decoded JSON.
"""

import inspect
import types
import typing
from annotationlib import Format, get_annotations
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Literal, Union, cast, get_args, get_origin
from uuid import UUID

from arvel.database import Model
from arvel.queue import Job

type Check = Callable[[Any], bool]

LONGEST_WORD = 255
LONGEST_LIST = 1000
DEEPEST = 8
NAMES = Format.FORWARDREF
LISTS = (list, tuple, set, frozenset, Sequence)


@cache
def signature_of(job_cls: type[Job]) -> inspect.Signature:
    return inspect.signature(job_cls, annotation_format=NAMES)


@cache
def attributes_of(job_cls: type[Job]) -> Mapping[str, Check]:
    """By name, what an instance may carry: parameters of its class's and its parents'
    constructors, and declared attributes."""
    hints: dict[str, Any] = {}
    for base in reversed(job_cls.__mro__[: job_cls.__mro__.index(Job)]):
        hints |= {name: _hints(base).get(name) for name in get_annotations(base, format=NAMES)}
        hints |= _parameters(base.__init__) if "__init__" in vars(base) else {}
    hints = {k: v for k, v in hints.items() if get_origin(v) is not ClassVar}
    return {name: check_of(hint) for name, hint in {**hints, **parameters_of(job_cls)}.items()}


@cache
def parameters_of(job_cls: type[Job]) -> Mapping[str, Any]:
    """The annotation of each parameter of the constructor."""
    hints = _hints(job_cls.__init__)
    return {name: hints.get(name) for name in signature_of(job_cls).parameters}


def _parameters(constructor: Callable[..., Any]) -> dict[str, Any]:
    hints = _hints(constructor)
    names = list(inspect.signature(constructor, annotation_format=NAMES).parameters)
    return {name: hints.get(name) for name in names[1:]}


def check_of(hint: Any) -> Check:
    """Whether a travelled value fits the annotation; without one, any short scalar does."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or (origin or hint) in (dict, Mapping):
        return _is_tree
    if origin in (Union, types.UnionType):
        checks = [check_of(argument) for argument in arguments]
        return lambda value: any(check(value) for check in checks)
    if origin is Literal:
        return lambda value: value in arguments
    if (origin or hint) in LISTS:
        return _list_of(check_of(arguments[0] if arguments else None))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value: value in [member.value for member in hint]
    if isinstance(hint, type) and issubclass(hint, Model):
        return _is_model
    return SCALARS.get(hint, _is_scalar)


def _hints(target: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(target, format=NAMES)
    except NameError:
        # An annotation that only type checkers can resolve: then any short scalar fits.
        return {}


def _list_of(check: Check) -> Check:
    def fits(value: Any) -> bool:
        if not isinstance(value, list):
            return False
        entries = cast("list[Any]", value)
        return len(entries) <= LONGEST_LIST and all(check(entry) for entry in entries)

    return fits


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_WORD


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value)


def _is_uuid(value: Any) -> bool:
    return isinstance(value, str) and _parses(UUID, value)


def _is_moment(value: Any) -> bool:
    match value:
        case {"__datetime__": str(text), **rest}:
            return not rest and _parses(datetime.fromisoformat, text)
        case _:
            return False


def _is_model(value: Any) -> bool:
    match value:
        case {"__model__": str(), "__id__": key, **rest}:
            return not rest and (_is_word(key) or _is_whole(key))
        case _:
            return value is None


def _parses(parse: Callable[[str], Any], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, bool) or _is_word(value) or _is_number(value)


def _is_tree(value: Any, depth: int = 0) -> bool:
    if depth > DEEPEST:
        return False
    if isinstance(value, dict):
        return all(_is_tree(v, depth + 1) for v in cast("dict[str, Any]", value).values())
    if isinstance(value, list):
        return all(_is_tree(v, depth + 1) for v in cast("list[Any]", value))
    return True


SCALARS: Mapping[Any, Check] = {
    str: _is_word,
    int: _is_whole,
    float: _is_number,
    bool: lambda value: isinstance(value, bool),
    UUID: _is_uuid,
    datetime: _is_moment,
    type(None): lambda value: value is None,
}
