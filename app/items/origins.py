"""The record that caused a message, whatever its key: kept as two texts."""

from typing import NamedTuple, cast

from arvel.database import Model
from arvel.database.model import morph_type_of

from app.items.refusals import Refused
from app.items.texts import check_line

LONGEST = 255


class Origin(NamedTuple):
    type: str | None
    id: str | None


NO_ORIGIN = Origin(None, None)


def check_origin(value: object) -> Origin:
    """The origin's type and id from a model, a ``(type, id)`` pair, or an object with an ``id``."""
    if value is None:
        return NO_ORIGIN
    kind, key = name_origin(value)
    if key is None or key == "":
        raise Refused("Has no id yet: store it first.")
    kind, key = check_line(kind, LONGEST), check_line(str(key), LONGEST)
    if not kind:
        raise Refused("Must name its type.")
    return Origin(kind, key)


def name_origin(value: object) -> tuple[object, object]:
    if isinstance(value, Model):
        return morph_type_of(type(value)), getattr(value, value.__primary_key__)
    if isinstance(value, tuple | list):
        pair = cast("tuple[object, ...]", value)
        if len(pair) == 2:
            return pair[0], pair[1]
    elif hasattr(value, "id"):
        return type(value).__name__, getattr(value, "id")  # noqa: B009
    raise Refused("Must be a stored record, or a pair of its type and id.")
