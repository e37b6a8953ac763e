"""What a token may give to another: nothing that it lacks, and no wider bounds than its own."""

from collections.abc import Sequence
from typing import Any, Protocol, cast

from app.access.caller import Caller
from app.access.tokens import Wish, read_network
from app.models.statements import Row

SENDING = frozenset({"send", "can_resend"})
"""What caps count. Two tokens with the same cap may send twice as much as one."""


def find_excess(caller: Caller, own: Row, wish: Wish) -> dict[str, list[str]]:
    """What a token, whose row is ``own``, can't give to a new one, field by field."""
    errors = {
        "abilities": _excess_abilities(caller, own, wish),
        "expires_in_days": _late(wish.expires_at > own["expires_at"]),
        "networks": _wider(own["networks"], wish.networks, _lies_in),
        "senders": _wider(own["senders"], wish.bounds.senders, _is_of)
        or _telling(caller, wish, own["senders"], wish.bounds.senders),
        "sms_prefixes": _wider(own["sms_prefixes"], wish.bounds.sms_prefixes, _begins_with)
        or _telling(caller, wish, own["sms_prefixes"], wish.bounds.sms_prefixes),
        "max_receivers": _more(own["max_receivers"], wish.bounds.max_receivers),
        "hourly_cap": _more(own["hourly_cap"], wish.bounds.hourly_cap),
        "daily_cap": _more(own["daily_cap"], wish.bounds.daily_cap),
    }
    return {name: [text] for name, text in errors.items() if text}


def _excess_abilities(caller: Caller, own: Row, wish: Wish) -> str:
    if lacking := sorted(set(wish.abilities) - caller.permissions):
        return f"Your token can't give what it hasn't got: {', '.join(lacking)}."
    capped = own["hourly_cap"] is not None or own["daily_cap"] is not None
    if capped and (sending := sorted(SENDING.intersection(wish.abilities))):
        return f"A token with a cap can't give {' and '.join(sending)}: it would be got round."
    return ""


def _late(later: bool) -> str:
    return "The new token can't outlive yours." if later else ""


def _more(own: int | None, wanted: int | None) -> str:
    if own is None or (wanted is not None and wanted <= own):
        return ""
    return f"Your token is bounded: at most {own}."


def _wider(own: Sequence[str], wanted: Sequence[str], covers: _Covers) -> str:
    if not own or (wanted and all(any(covers(o, w) for o in own) for w in wanted)):
        return ""
    return "Your token is bounded here: name some of what it may."


def _telling(caller: Caller, wish: Wish, own: Sequence[str], wanted: Sequence[str]) -> str:
    """A series of bounds, each a little narrower, spells the number behind an id: what they refuse
    and what they don't is as good as seeing it.
    """
    if caller.may("read_content") or not SENDING.intersection(wish.abilities):
        return ""
    if {one.lower() for one in wanted} == {one.lower() for one in own}:
        return ""
    return "To choose this needs read_content, because what a bound refuses tells addresses."


class _Covers(Protocol):
    def __call__(self, own: str, wanted: str, /) -> bool: ...


def _lies_in(own: str, wanted: str) -> bool:
    outer, inner = read_network(own), read_network(wanted)
    return outer.version == inner.version and inner.subnet_of(cast("Any", outer))


def _is_of(own: str, wanted: str) -> bool:
    own, wanted = own.lower(), wanted.lower()
    return wanted == own or (own.startswith("@") and wanted.endswith(own))


def _begins_with(own: str, wanted: str) -> bool:
    return wanted.startswith(own)
