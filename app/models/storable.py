"""Text and JSON from outside in a form that PostgreSQL can store.

PostgreSQL's text and jsonb take neither NUL nor lone surrogates, jsonb no NaN or infinity, and an
index no value beyond some 2,700 bytes. What a provider says must not be lost for such a thing.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import cast

LONGEST_KEY = 500
DEEPEST = 50


def text(value: str) -> str:
    """The text without NUL; what is no Unicode becomes a question mark."""
    return value.replace("\0", "").encode("utf-8", "replace").decode()


def key(value: str) -> str:
    """A key that may be indexed: long ones are replaced by their digest."""
    clean = text(value)
    if len(clean) <= LONGEST_KEY:
        return clean
    return f"sha256:{hashlib.sha256(clean.encode()).hexdigest()}"


def to_json(value: object) -> str:
    """JSON of whatever was read from a request."""
    return json.dumps(_clean(value, DEEPEST), allow_nan=False, default=str)


def _clean(value: object, depth: int) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {text(str(name)): _clean(inner, depth - 1) for name, inner in pairs}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_clean(inner, depth - 1) for inner in cast("Sequence[object]", value)]
    return value
