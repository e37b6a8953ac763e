"""From what came over the wire to the structs that an operation takes, or to what is wrong."""

import itertools
import json
import re
from collections.abc import Mapping
from typing import cast

import msgspec
from arvel.http.request import Request
from msgspec import Struct

from app.controllers.api import values
from app.controllers.api.problems import MOST_ERRORS, Problem
from app.controllers.body import BodyTooLarge, BodyTooSlow, read_body

PATIENCE = 30.0
"""Seconds that a body may take to arrive."""

SURROGATE = re.compile("[\ud800-\udfff]")
HALF = "Must be valid Unicode: it holds half of a surrogate pair."

NAMED_FIELD = re.compile(
    r"Object (?:contains unknown|(?P<missing>missing) required) field `(?P<field>.*)`", re.DOTALL
)


async def read_json(request: Request, limit: int) -> object:
    """The body as plain Python; raises :class:`Problem` for what isn't JSON."""
    require_media_type(request, "application/json")
    return decode_json(await read_bytes(request, limit))


async def read_optional_json(request: Request, limit: int) -> object:
    """The same; no body at all reads as an empty object, whatever its media type is said to be."""
    raw = await read_bytes(request, limit)
    if not raw:
        return {}
    require_media_type(request, "application/json")
    return decode_json(raw)


def decode_json(raw: bytes) -> object:
    require_few_values(raw)
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError:
        raise explain_json(raw) from None


def require_few_values(raw: bytes) -> None:
    """Raises :class:`Problem` for JSON of so many parts that reading it would keep others waiting.

    A process serves its requests, and sends, in turns; the bound on bytes is there for files.
    """
    if not values.are_few(raw):
        text = f"JSON may hold {values.MOST} texts and separators."
        raise Problem("too-large", text)


def explain_json(raw: bytes) -> Problem:
    """What is wrong with bytes that can't be read as JSON."""
    try:
        halved = find_halves(decode_leniently(raw))
    except RecursionError:
        return malformed()
    return Problem.invalid({name: [HALF] for name in halved}) if halved else malformed()


def decode_leniently(raw: bytes) -> object:
    """JSON whose texts may hold half of a surrogate pair, which RFC 8259 section 8.2 lets pass."""
    if b"\\ud" not in raw.lower():
        raise malformed()
    try:
        return json.loads(raw)
    except UnicodeDecodeError, RecursionError, ValueError:
        raise malformed() from None


def find_halves(value: object) -> list[str]:
    """The fields of an object that hold half of a surrogate pair, by names that may be shown."""
    fields = cast("dict[str, object]", value if isinstance(value, dict) else {"": value})
    texts = {name: json.dumps([name, held], ensure_ascii=False) for name, held in fields.items()}
    return [_shown(name) for name, text in texts.items() if SURROGATE.search(text)]


def malformed() -> Problem:
    return Problem("malformed", "The body is not JSON, or nested too deeply.")


async def read_bytes(request: Request, limit: int) -> bytes:
    """The body; raises :class:`Problem` for one that is too large or too slow."""
    try:
        return await read_body(request, limit, PATIENCE)
    except BodyTooLarge:
        text = f"The body may have {limit} bytes."
        raise Problem("too-large", text, headers={"connection": "close"}) from None
    except BodyTooSlow:
        raise Problem("timeout", headers={"connection": "close"}) from None


def require_media_type(request: Request, *accepted: str) -> str:
    """The media type of the body; raises :class:`Problem` for another, or for a compressed body."""
    media_type = (request.header("content-type") or "").partition(";")[0].strip().lower()
    encoding = (request.header("content-encoding") or "identity").strip().lower()
    if media_type not in accepted or encoding != "identity":
        raise Problem("unsupported-media-type", f"Send {' or '.join(accepted)}, not compressed.")
    return media_type


def convert[S: Struct](value: object, into: type[S], *, strict: bool = True) -> S:
    """``value`` as a struct; raises :class:`Problem` with all fields that are wrong."""
    try:
        return msgspec.convert(value, into, strict=strict)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        place, text = explain(error)
        found: dict[str, list[str]] = {}
        if isinstance(value, Mapping):
            found = find_errors(cast("Mapping[str, object]", value), into, strict=strict)
        raise Problem.invalid(found or {place: [text]}) from None


def find_errors(
    given: Mapping[str, object], into: type[Struct], *, strict: bool
) -> dict[str, list[str]]:
    """What is wrong with each field by itself, unknown and missing ones among them."""
    errors: dict[str, list[str]] = {}
    fields = {f.encode_name: f for f in msgspec.structs.fields(into)}
    # One more than are shown, which tells that there are others.
    for name in itertools.islice(given.keys() - fields.keys(), MOST_ERRORS + 1):
        errors[_shown(name)] = ["There is no such field."]
    for name, info in fields.items():
        if name not in given:
            if info.required:
                errors[name] = ["Is missing."]
            continue
        try:
            msgspec.convert(given[name], info.type, strict=strict)
        except (msgspec.ValidationError, ValueError, OverflowError) as error:
            place, text = explain(error)
            errors[f"{name}.{place}" if place else name] = [text]
    return errors


def explain(error: Exception) -> tuple[str, str]:
    """Where in the value it is (``0.email``), and what is wrong, without repeating a value."""
    if not isinstance(error, msgspec.ValidationError):
        return "", "Can't be used."
    text, _, path = str(error).partition(" - at `")
    places = [path.rstrip("`").removeprefix("$").replace("[...]", ".*")]
    if named := NAMED_FIELD.match(text):
        places.append(_shown(named["field"]))
        text = "Is missing" if named["missing"] else "There is no such field"
    elif text.startswith("Invalid enum value"):
        text = "Is none of the possible values"
    elif "matching regex" in text:
        text = "Has not the form that /api/openapi.json gives for it"
    place = ".".join(places).replace("[", ".").replace("]", "").strip(".")
    return place.replace("..", "."), f"{text.replace('`', '')}."


def _shown(name: str) -> str:
    """A field's name as it may be repeated: printable and short."""
    return "".join(c for c in name if c.isprintable())[:64]
