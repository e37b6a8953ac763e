"""One email to its transport: with our keys on it, once without them where those are refused."""

from arvel.kernel.logging import LogManager

from app.models.queries import keyless
from app.settings import RetrySettings, TrackingSettings
from app.transports.contract import EmailTransport, Go, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.doubt import hold_in_doubt
from app.transports.email.tracking import EmailTrackingStrategy, TrackingKeys, brings_back


async def send_email(
    transport: EmailTransport, email: OutboundEmail, go: Go, strategy: EmailTrackingStrategy
) -> Outcome:
    """Send ``email``; ``go`` is asked before each of the at most two requests.

    The provider gets the message once: a request that was refused for its metadata sent nothing.
    """
    tracked = strategy.attach(email, TrackingKeys(email.item_id, email.provider_key))
    try:
        await _note_missing_key(transport, strategy, tracked)
        outcome = await transport.send(tracked, go)
    except MetadataRefused as refusal:
        _tell_of(transport, email, refusal)
        await _note_missing_key(transport, strategy, email)
        outcome = await transport.send(email, go)
    return hold_in_doubt(outcome, transport.facts, RetrySettings().retry_5xx)


def _tell_of(transport: EmailTransport, email: OutboundEmail, refusal: MetadataRefused) -> None:
    if TrackingSettings().email_ignore_unsupported:
        return
    LogManager().channel("dispatch").info(
        "metadata_refused",
        provider=transport.facts.name,
        item_id=str(email.item_id),
        attempt_id=str(email.attempt_id),
        reason=refusal.reason,
    )


async def _note_missing_key(
    transport: EmailTransport, strategy: EmailTrackingStrategy, tracked: OutboundEmail
) -> None:
    """Reports behind a mere password have to bring our key, unless the message has none."""
    needed = transport.facts.reports and not transport.facts.signs_webhooks
    if needed and not brings_back(strategy, tracked):
        await keyless.note(tracked.attempt_id)
