"""What will happen to an item by itself, in words."""

from datetime import datetime, timedelta

from app.models.statements import Row
from app.settings import DispatchSettings, RetrySettings
from app.workflow import DONE, ErrorKind, State

RESCUE_AFTER = timedelta(seconds=5)

FOR_A_PERSON = {
    ErrorKind.OUTCOME_UNKNOWN: (
        "Nothing: it may have been sent. Retry it only with confirmation, or cancel it."
    ),
    ErrorKind.PUBLISH_FAILED: "It is published again by itself within minutes.",
}


def describe_next_step(item: Row, *, with_reason: bool = True) -> str:
    """One sentence, from an item's row of :func:`app.models.queries.browse.find_story`.

    ``with_reason``: also why its channel is paused, which may name whoever complained.
    """
    state = State(item["state"])
    if state in DONE:
        return "Nothing: this state is final, unless the provider reports something else."
    if state == State.ERRORED:
        return FOR_A_PERSON.get(item["error_kind"], "Nothing: retry it or cancel it.")
    if state == State.SENDING:
        at = show_time(item["lease_until"] + RESCUE_AFTER)
        return f"The provider's answer is recorded; if the worker died, it is rescued at {at}."
    if state == State.AWAITING:
        return describe_report(item)
    return describe_sending(item, with_reason=with_reason)


def describe_sending(item: Row, *, with_reason: bool) -> str:
    due = item["due_at"]
    if due is None:
        return "Nothing: it was only set up, and waits to be scheduled."
    expires = item["expires_at"]
    if expires is not None and expires <= max(due, item["now"]):
        if expires <= item["now"]:
            return "It has expired, and is cancelled within a minute."
        return f"It expires before it would be sent, and is cancelled at {show_time(expires)}."
    if item["paused_until"] is not None:
        reason = f": {item['pause_reason'] or 'no reason given'}" if with_reason else ""
        return f"It waits until its channel is resumed{reason}."
    again = " again" if item["attempts"] else ""
    count = (
        f" (retry {item['retries']} of {RetrySettings().max_retries})" if item["retries"] else ""
    )
    if due > item["now"]:
        return f"It is sent{again} at {show_time(due)}{count}."
    return f"It is sent{again} as soon as a worker is free{count}."


def describe_report(item: Row) -> str:
    """When an accepted message counts as unconfirmed."""
    settings = DispatchSettings()
    if item["method"] == "email":
        hours, start = settings.email_timeout_hours, item["send_at"] or item["queued"]
    elif settings.sms_timeout_from == "accepted":
        hours, start = settings.sms_timeout_hours, item["accepted_at"] or item["queued"]
    else:
        hours, start = settings.sms_timeout_hours, item["send_at"] or item["queued"]
    if item["method"] == "email" and hours <= 0:
        return "It waits for the provider's report, without a limit."
    at = show_time(start + timedelta(hours=hours))
    return f"It waits for the provider's report, and counts as unconfirmed at {at}."


def show_time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"
