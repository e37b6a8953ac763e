"""Every transport that there is, whether it is configured or not; wired by ``app/providers``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.transports.contract import EmailTransport, Facts, SmsTransport, Webhook


@dataclass(frozen=True, slots=True)
class Offer:
    """One transport. ``facts`` are those of the provider, whatever the account.

    ``build`` makes it from the configuration; raises ``ValueError`` with what to correct.
    ``webhook`` makes the half that reads reports from whatever is configured: keys to believe by
    are enough, and to read without believing nothing is; ``None`` where there are no reports.
    """

    name: str
    title: str
    facts: Facts
    build: Callable[[], EmailTransport | SmsTransport]
    webhook: Callable[[], Webhook] | None


_offers: dict[str, Offer] = {}


def use(offers: Mapping[str, Offer]) -> None:
    """Make these all that there is; called by the provider that wires them."""
    _offers.clear()
    _offers.update(offers)


def offers() -> Mapping[str, Offer]:
    """By name, in the order in which they are shown."""
    return _offers
