"""Retry, cancel and resend of many items by their ids, with a verdict on each."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import batched
from uuid import UUID

from app.items.operate import decide_cancel, decide_retry
from app.items.operate_verdicts import Verdict
from app.items.resend_items import decide_resend
from app.models.queries.operate import Decision

MOST = 1000
"""Ids at once: more are better said by a filter, and worked off in the background."""

PAGE = 500
"""Items in one statement, so that none of them is locked for long."""

type Decide = Callable[[Sequence[UUID], Decision], Awaitable[list[Verdict]]]

ACTIONS: Mapping[str, Decide] = {
    "retry": decide_retry,
    "cancel": decide_cancel,
    "resend": decide_resend,
}
"""What an operator can do, each for a page of items."""


class TooMany(ValueError):
    """More ids than can be worked off at once; the text says how many can."""

    def __init__(self, given: int) -> None:
        super().__init__(f"{given:,} items are too many at once: at most {MOST:,}, or a filter.")


async def retry_all(
    ids: Sequence[UUID], actor: str, *, confirm: bool = False, dry_run: bool = False
) -> list[Verdict]:
    """Retry up to 1,000 items; a verdict on each, in the order given.

    An id that is named twice is worked off once. What may have been sent is skipped unless
    ``confirm``, and its verdict says so; ids that name no item are named. Each page of 500 is
    committed by itself, unless the caller has a transaction open.

    Raises :class:`TooMany` before anything is done.
    """
    return await decide_all("retry", ids, Decision(actor, confirm, dry_run))


async def cancel_all(
    ids: Sequence[UUID], actor: str, *, confirm: bool = False, dry_run: bool = False
) -> list[Verdict]:
    """Cancel up to 1,000 items; as :func:`retry_all`."""
    return await decide_all("cancel", ids, Decision(actor, confirm, dry_run))


async def resend_all(
    ids: Sequence[UUID], actor: str, *, confirm: bool = False, dry_run: bool = False
) -> list[Verdict]:
    """Send up to 1,000 done items once more; as :func:`retry_all`, and each names its copy."""
    return await decide_all("resend", ids, Decision(actor, confirm, dry_run))


async def decide_all(action: str, ids: Sequence[UUID], decision: Decision) -> list[Verdict]:
    """One decision about many items; an action of :data:`ACTIONS`."""
    if len(ids) > MOST:
        raise TooMany(len(ids))
    verdicts: dict[UUID, Verdict] = {}
    for page in batched(sorted(set(ids)), PAGE, strict=False):
        for verdict in await ACTIONS[action](page, decision):
            verdicts[verdict.item_id] = verdict
    return [verdicts[item_id] for item_id in dict.fromkeys(ids)]
