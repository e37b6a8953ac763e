"""What becomes of "try again" when the message may have been sent already."""

from app.transports.contract import Facts, Outcome, TryLater, Unknown

ALWAYS = "always"
WHEN_SAFE = "when_safe"


def hold_in_doubt(outcome: Outcome, facts: Facts, policy: str) -> Outcome:
    """``outcome`` itself, or *unknown* where repeating it could make a second copy.

    With ``DISPATCH_RETRY_5XX=when_safe`` a message that the provider may have taken is repeated
    by itself only where the provider recognises the repetition.
    """
    if policy != WHEN_SAFE or facts.idempotency_window:
        return outcome
    match outcome:
        case TryLater(text, code, may_have_been_sent=True):
            return Unknown(f"{text} It is not sent again by itself.", code)
        case _:
            return outcome
