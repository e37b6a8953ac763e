"""Passwords of webhooks that nothing else protects."""

from collections.abc import Iterator

from app.configuration.given import Readings
from app.configuration.problem import Problem, warn
from app.transports.http.basic_auth import LEAST_SECRET, Login


def find_weakness(
    readings: Readings, provider: str, present: str, previous: str
) -> Iterator[Problem]:
    """Without a password there is no route; with a short one anybody may guess their way in."""
    if not readings.text(present):
        yield warn(
            present,
            f"is missing: there is no route for {provider}'s reports, so that no message is ever"
            " known to be delivered.",
        )
    for name in (present, previous):
        password = readings.text(name)
        if password and not Login("", password).is_strong:
            text = f"must hold {LEAST_SECRET} characters or more: 32 random bytes in base64 or hex."
            yield Problem(name, text) if readings.production else warn(name, text)
