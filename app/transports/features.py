"""What can be sent through each transport, and what it can be asked: what ``Facts`` need not know.

Tests send a message with all of it and look at the request.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.transports.contract import Facts


class Asked(StrEnum):
    """By what a provider can be asked for a message that may have been sent."""

    NOTHING = ""
    ID = "its id"
    KEY = "our key"


@dataclass(frozen=True, slots=True)
class Features:
    """``tags`` and ``reply_to``: how many of them a message takes along, at least 10 and 3 where
    all do; further tags stay in Pillarbox, further Reply-To addresses are refused.

    ``inline``: images that the HTML shows. ``metadata``: reports bring back our keys.
    ``message_id``: Message-ID is ours, so that it is the same for each attempt.
    ``checks``: whether ``transport:check`` can tell anything.
    """

    tags: int = 10
    reply_to: int = 3
    inline: bool = True
    metadata: bool = True
    message_id: bool = False
    asked: Asked = Asked.NOTHING
    checks: bool = True


MANY_TAGS = 10
MANY_REPLIES = 3

FEATURES: Mapping[str, Features] = {
    "smtp": Features(tags=0, metadata=False, message_id=True),
    "amazon_ses": Features(message_id=True, asked=Asked.ID),
    "brevo": Features(reply_to=1, inline=False, asked=Asked.ID),
    "mailersend": Features(tags=5, reply_to=1),
    "mailgun": Features(asked=Asked.KEY),
    "mailjet": Features(tags=1, reply_to=1, asked=Asked.KEY),
    "mailtrap": Features(tags=1, checks=False),
    "mandrill": Features(asked=Asked.KEY),
    "postal": Features(tags=1, metadata=False, message_id=True, asked=Asked.ID),
    "postmark": Features(tags=1, message_id=True, asked=Asked.KEY),
    "resend": Features(asked=Asked.ID),
    "scaleway": Features(inline=False, asked=Asked.ID),
    "sendgrid": Features(),
    "sparkpost": Features(tags=1, asked=Asked.KEY),
    "unisender_go": Features(reply_to=1),
    "twilio": Features(tags=0, reply_to=0, inline=False, asked=Asked.ID),
}


def words(facts: Facts, features: Features) -> tuple[str, ...]:
    """In short, for people; what isn't said isn't so."""
    return tuple(_words(facts, features))


def _words(facts: Facts, features: Features) -> Iterator[str]:
    if facts.reports:
        yield "reports"
    if facts.reports and facts.signs_webhooks:
        yield "signed reports"
    if facts.idempotency_window:
        yield "deduplicates"
    if features.asked:
        yield f"can be asked by {features.asked.value}"
    if features.checks:
        yield "can be checked"
    if features.inline:
        yield "inline images"
    if features.tags:
        yield "tags" if features.tags > 1 else "one tag"
