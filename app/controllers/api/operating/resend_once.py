"""Copies done items within what the token may send, and once for each key of a request."""

import time
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec
from arvel.kernel import app
from msgspec import Struct

from app.access.caller import Bounds, Caller
from app.controllers.api.operating.decisions import decision_of
from app.controllers.api.operation import Answer, Call
from app.controllers.api.problems import Problem
from app.controllers.api.sending import keys
from app.controllers.api.sending.bounds import may_send_as, own_sender
from app.controllers.api.sending.keys import Key
from app.controllers.api.sending.reading import digest
from app.items.bulk import decide_all
from app.items.operate_verdicts import Verdict
from app.models.queries import resend as queries
from app.models.queries import usage
from app.models.queries.resend import Parties

type Show = Callable[[list[Verdict]], Struct]
"""What is answered; raises :class:`Problem` where nothing shall be sent."""

PROBLEMS = ("out-of-bounds", "still-running", "key-reused", "cap-reached")
BEYOND = "The token may not send this message: its sender or its country is out of bounds."
HOUR = 3600


class _Earlier(Exception):
    """An equal request was first: nothing of this one stays."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


async def resend(call: Call[Any, Any], ids: Sequence[UUID], show: Show) -> Answer:
    """Send items once more, unless an equal request did that before."""
    key = read_key(call)
    if key is not None and (earlier := await keys.find_answer(key)):
        return earlier
    await require_bounds(call.caller.bounds, ids)
    if call.body.dry_run or (key is None and not is_capped(call.caller)):
        return Answer(show(await decide_all("resend", ids, decision_of(call))))
    return await resend_together(call, ids, show, key)


async def resend_together(
    call: Call[Any, Any], ids: Sequence[UUID], show: Show, key: Key | None
) -> Answer:
    """The copies, the key and what they use up: all of it, or nothing."""
    try:
        async with app().make("db").transaction():
            verdicts = await decide_all("resend", ids, decision_of(call))
            answer = Answer(show(verdicts))
            if key is not None and (earlier := await keys.claim(key, answer)):
                raise _Earlier(earlier)
            await use_up(call.caller, sum(verdict.applied for verdict in verdicts))
    except _Earlier as first:
        return first.answer
    return answer


def read_key(call: Call[Any, Any]) -> Key | None:
    """A dry run takes no key: it is no sending that could come twice."""
    told = digest(call.request, [msgspec.json.encode(call.body)])
    key = keys.read_key(call.request, call.caller.user_id, told)
    return None if call.body.dry_run else key


async def require_bounds(bounds: Bounds, ids: Sequence[UUID]) -> None:
    """Raises :class:`Problem` for what the token may not send in the first place."""
    if bounds.max_receivers is not None and len(set(ids)) > bounds.max_receivers:
        raise Problem("out-of-bounds", f"The token may name {bounds.max_receivers} in a request.")
    if not bounds.senders and not bounds.sms_prefixes:
        return
    if not all(is_within(bounds, parties) for parties in await queries.find_parties(ids)):
        raise Problem("out-of-bounds", BEYOND)


def is_within(bounds: Bounds, parties: Parties) -> bool:
    if bounds.senders and not may_send_as(parties.sender or own_sender(), bounds):
        return False
    is_bound = parties.method == "sms" and bool(bounds.sms_prefixes)
    return not is_bound or parties.receiver.startswith(bounds.sms_prefixes)


def is_capped(caller: Caller) -> bool:
    bounds = caller.bounds
    return bounds.hourly_cap is not None or bounds.daily_cap is not None


async def use_up(caller: Caller, items: int) -> None:
    """Count copies against the token's caps; raises :class:`Problem` when they don't fit."""
    bounds = caller.bounds
    if caller.token_id is None or not is_capped(caller) or not items:
        return
    if not await usage.count(caller.token_id, items, bounds.hourly_cap, bounds.daily_cap):
        wait = HOUR - int(time.time()) % HOUR
        raise Problem("cap-reached", headers={"retry-after": str(wait)})


def require_unbound(caller: Caller) -> None:
    """Raises :class:`Problem` for a token whose bounds would have to be looked at item by item."""
    bounds = caller.bounds
    narrow = bounds.senders or bounds.sms_prefixes or bounds.max_receivers is not None
    if narrow or is_capped(caller):
        text = "A token with bounds or caps resends items by their ids, not by a filter."
        raise Problem("out-of-bounds", text)
