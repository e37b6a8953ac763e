"""Which items an operation means, as a caller says it; all of them only where that is said."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from app.access.caller import Caller
from app.controllers.api.problems import Problem
from app.models.queries.bulk_filter import Filter
from app.workflow import ErrorKind, State

type Moment = Annotated[datetime, Meta(tz=True)]
type Words = Annotated[str, Meta(min_length=1, max_length=254, pattern="^[^\\u0000]*$")]

CONTENT = ("receiver",)
"""Criteria that only who may see content may ask about: the answer would tell it."""

HIDDEN = "…"


class OperationFilter(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What the items have in common. At least one criterion, or `all`.

    Whatever is named here, only items that the action can be applied to are meant.
    """

    all: Annotated[
        Literal[True] | UnsetType,
        Meta(description="All items that the action can be applied to; then nothing else."),
    ] = UNSET
    state: Annotated[State | UnsetType, Meta(description="What they are.")] = UNSET
    method: Annotated[Literal["email", "sms"] | UnsetType, Meta(description="How.")] = UNSET
    error_kind: Annotated[ErrorKind | UnsetType, Meta(description="Why they errored.")] = UNSET
    queued_from: Annotated[
        Moment | UnsetType, Meta(description="Queued at this time or later; with a zone.")
    ] = UNSET
    queued_until: Annotated[
        Moment | UnsetType, Meta(description="Queued before this time; with a zone.")
    ] = UNSET
    receiver: Annotated[
        Words | UnsetType,
        Meta(description="A whole address or number, in any case. Needs `read_content`."),
    ] = UNSET
    origin_type: Annotated[
        Words | UnsetType, Meta(description="The type of the record that caused them.")
    ] = UNSET
    origin_id: Annotated[
        Words | UnsetType, Meta(description="The id of the record that caused them.")
    ] = UNSET
    tag: Annotated[Words | UnsetType, Meta(description="One of their tags.")] = UNSET
    created_by: Annotated[
        Words | UnsetType, Meta(description="Who had them sent: `owner/token`.")
    ] = UNSET


def read_filter(given: OperationFilter, caller: Caller) -> Filter:
    """The filter that is meant; raises :class:`Problem` where that can't be or may not be asked."""
    criteria = {
        name: as_criterion(f"filter.{name}", value)
        for name, value in structs.asdict(given).items()
        if name != "all" and value is not UNSET
    }
    if (given.all is True) == bool(criteria):
        text = 'Name at least one criterion, or {"all": true} alone to mean all items.'
        raise Problem.invalid({"filter": [text]})
    if not criteria.keys().isdisjoint(CONTENT) and not caller.may("read_content"):
        text = "Selecting items by their receiver needs read_content."
        raise Problem("forbidden", text, needs=["read_content"])
    return Filter(**criteria)


def as_criterion(field: str, value: Any) -> Any:
    return in_utc(field, value) if isinstance(value, datetime) else str(value)


def in_utc(field: str, moment: datetime) -> datetime:
    """The same moment; raises :class:`Problem` for one that no calendar of UTC has."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise Problem.invalid({field: ["Is a time that can't be used."]}) from None


def shown(stored: dict[str, str], caller: Caller) -> dict[str, str]:
    """A stored filter as its reader may see it."""
    if caller.may("read_content"):
        return stored
    return {name: HIDDEN if name in CONTENT else value for name, value in stored.items()}
