"""Names of ours as people say them."""

from app.workflow import State

STATES = {
    State.QUEUED: "It waits to be sent.",
    State.SENDING: "A worker is handing it to the provider.",
    State.AWAITING: "The provider accepted it and has not reported delivery yet.",
    State.DELAYED: "It is sent again by itself, later.",
    State.ERRORED: "It was not delivered, or nobody knows whether it was.",
    State.SUCCEEDED: "It was delivered.",
    State.UNCONFIRMED: "The provider accepted it, and no report came in time.",
    State.CANCELLED: "It was given up; nothing more is sent.",
}
"""What a state means, in a sentence."""

METHODS = {"email": "Email", "sms": "SMS"}

UNITS = ("bytes", "kB", "MB", "GB")


def size(count: int) -> str:
    """Bytes as people read them."""
    number, unit = float(count), 0
    while number >= 1000 and unit < len(UNITS) - 1:
        number, unit = number / 1000, unit + 1
    return f"{count} bytes" if unit == 0 else f"{number:.1f} {UNITS[unit]}"


def number(count: float) -> str:
    """With commas between thousands."""
    return f"{count:,.0f}"


def plural(count: int, one: str, many: str = "") -> str:
    return f"{number(count)} {one if count == 1 else many or f'{one}s'}"
