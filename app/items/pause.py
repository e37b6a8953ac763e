"""Pausing channels: by a person, when a provider doesn't know us, and after lost commits."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from arvel.kernel.logging import LogManager

from app.items import publish
from app.models.queries import channels as queries
from app.transports.channels import current
from app.transports.contract import Facts

AUTOMATIC = 300.0
"""Seconds of a pause by itself: then one message tries again whether the provider knows us."""

PAGE = 500
LOST_COMMITS = (
    "The database has lost what it had acknowledged: a provider reported an attempt that is not "
    "there. Find out which backup or replica is in use, then run `arvel dispatch:resume --all`."
)


class UnknownChannel(LookupError):
    """There is no channel of this name; see ``arvel dispatch:doctor`` for those that there are."""


def names() -> list[str]:
    """The configured channels."""
    return sorted({*current().email, *current().sms})


async def pause(
    name: str,
    reason: str,
    *,
    seconds: float | None = None,
    until: datetime | None = None,
    actor: str | None = None,
) -> None:
    """Send nothing through a channel, for ``seconds``, ``until`` a time, or until it is resumed.

    A longer pause stays as it is. Raises :class:`UnknownChannel`.
    """
    await queries.pause([_known(name)], seconds, reason, until=until, actor=actor)
    # A person's words stay out: they may name whoever complained.
    said = {"reason": reason} if actor is None else {"actor": actor}
    LogManager().channel("dispatch").warning("channel_paused", channel_name=name, **said)


async def pause_all(reason: str) -> None:
    """Send nothing at all until a person resumes the channels."""
    await queries.pause(names(), None, reason)
    LogManager().channel("dispatch").error("all_channels_paused", reason=reason)


async def resume(name: str, actor: str, key: UUID | None = None) -> int:
    """End a pause: what was put off is due again, and what was refused because the provider did
    not know us is retried. How many items that concerned; raises :class:`UnknownChannel`.

    ``key`` marks in the history what was done by this decision.
    """
    if await queries.resume(_known(name), actor):
        LogManager().channel("dispatch").warning("channel_resumed", channel_name=name, actor=actor)
    concerned = 0
    while brought := await queries.bring_back(name, PAGE):
        concerned += brought
    while healed := await queries.heal(name, sorted(_pause_codes(name)), PAGE, actor, key):
        await publish.publish(healed)
        concerned += len(healed)
    await publish.publish_due()
    return concerned


async def pause_if_unknown_to(channel: str, code: str) -> None:
    """The provider refused our credentials: others need not be refused as well."""
    if code in _pause_codes(channel):
        reason = f"The provider refuses our credentials (code {code})."
        await pause(channel, reason, seconds=AUTOMATIC)


def _known(name: str) -> str:
    if name not in names():
        known = ", ".join(names()) or "none"
        raise UnknownChannel(f"There is no channel {name}. Configured: {known}.")
    return name


def _pause_codes(name: str) -> frozenset[str]:
    return frozenset(code for facts in _facts(name) for code in facts.pause_codes)


def _facts(name: str) -> Sequence[Facts]:
    found = (current().email.get(name), current().sms.get(name))
    return [transport.facts for transport in found if transport is not None]
