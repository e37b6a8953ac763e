"""From the query string to the parameters of an operation, or to what is wrong with them."""

import functools
import re
from typing import NamedTuple, cast
from urllib.parse import parse_qsl

import msgspec
from arvel.http.request import Request
from msgspec import Struct

from app.controllers.api.problems import Problem
from app.controllers.api.reading import convert

NUMBER = re.compile(r"[-+]?[0-9.]+", re.ASCII)
"""The converter would take it for seconds since 1970."""

MOST_PARAMETERS = 50


class Parameters(NamedTuple):
    """The parameters of an operation that are lists, lists of fixed words, and times."""

    lists: frozenset[str]
    of_words: frozenset[str]
    times: frozenset[str]


def read_query(request: Request, into: type[Struct]) -> Struct:
    """The parameters of the query string; those that are lists may be repeated.

    Lists of fixed words may be written with commas as well.
    """
    raw = bytes(request.raw.scope.get("query_string", b""))
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(raw),
            errors="strict",
            max_num_fields=MOST_PARAMETERS,
        )
    except ValueError:
        raise Problem("malformed", "The query string can't be read.") from None
    given = _gather(pairs, parameters_of(into))
    return convert(given, into, strict=False)


def _gather(pairs: list[tuple[str, str]], parameters: Parameters) -> dict[str, object]:
    given: dict[str, object] = {}
    for name, value in pairs:
        if name in parameters.lists:
            values = value.split(",") if name in parameters.of_words else [value]
            cast("list[str]", given.setdefault(name, [])).extend(values)
        elif name in given:
            raise Problem("malformed", "A parameter that takes one value is given twice.")
        elif name in parameters.times and NUMBER.fullmatch(value):
            raise Problem.invalid({name: ["Must be a time as in RFC 3339, not a number."]})
        else:
            given[name] = value
    return given


@functools.cache
def parameters_of(into: type[Struct]) -> Parameters:
    """What must be known of the parameters before they are converted."""
    fields = {f.encode_name: f.type for f in msgspec.structs.fields(into)}
    return Parameters(
        frozenset(name for name, kind in fields.items() if _is_list(kind)),
        frozenset(name for name, kind in fields.items() if _is_of_words(kind)),
        frozenset(name for name, kind in fields.items() if _is_time(kind)),
    )


def _is_list(annotation: object) -> bool:
    kinds = msgspec.inspect.ListType | msgspec.inspect.VarTupleType
    return isinstance(_kind(msgspec.inspect.type_info(annotation)), kinds)


def _is_of_words(annotation: object) -> bool:
    item = getattr(_kind(msgspec.inspect.type_info(annotation)), "item_type", None)
    kinds = msgspec.inspect.LiteralType | msgspec.inspect.EnumType
    return isinstance(_kind(item), kinds)


def _is_time(annotation: object) -> bool:
    info = _kind(msgspec.inspect.type_info(annotation))
    choices = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return any(isinstance(_kind(choice), msgspec.inspect.DateTimeType) for choice in choices)


def _kind(info: object) -> object:
    """What a described type is."""
    while isinstance(info, msgspec.inspect.Metadata):
        info = info.type
    return info
