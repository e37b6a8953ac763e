"""One email to its transport: with our keys on it, once without them where those are refused."""

from arvel.kernel.logging import LogManager

from app.models.queries import keyless
from app.settings import RetrySettings, TrackingSettings
from app.transports.contract import EmailTransport, Go, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.doubt import hold_in_doubt
from app.transports.email.tracking import EmailTrackingStrategy, TrackingKeys


async def send_email(
    transport: EmailTransport, email: OutboundEmail, go: Go, strategy: EmailTrackingStrategy
) -> Outcome:
    """Send ``email``; ``go`` is asked before each of the at most two requests.

    The provider gets the message once: a request that was refused for its metadata sent nothing.
    """
    tracked = strategy.attach(email, TrackingKeys(email.item_id, email.provider_key))
    try:
        if tracked is email:
            await _note_missing_keys(transport, email)
        outcome = await transport.send(tracked, go)
    except MetadataRefused as refusal:
        outcome = await _send_untracked(transport, email, go, refusal)
    return hold_in_doubt(outcome, transport.facts, RetrySettings().retry_5xx)


async def _send_untracked(
    transport: EmailTransport, email: OutboundEmail, go: Go, refusal: MetadataRefused
) -> Outcome:
    if not TrackingSettings().email_ignore_unsupported:
        LogManager().channel("dispatch").info(
            "metadata_refused",
            provider=transport.facts.name,
            item_id=str(email.item_id),
            attempt_id=str(email.attempt_id),
            reason=refusal.reason,
        )
    await _note_missing_keys(transport, email)
    return await transport.send(email, go)


async def _note_missing_keys(transport: EmailTransport, email: OutboundEmail) -> None:
    """Reports by basic auth alone have to bring our key, unless the message never had one."""
    if transport.facts.reports and not transport.facts.signs_webhooks:
        await keyless.note(email.attempt_id)
