"""What SparkPost reports about a message, by webhook and when it is asked. Tables of data.

Source: https://developers.sparkpost.com/api/webhooks/, and
https://support.sparkpost.com/docs/deliverability/bounce-classification-codes
"""

from collections.abc import Mapping

from app.transports.contract import EventType as E
from app.transports.email.api_events import UNKNOWN, Meaning

EVENTS: Mapping[str, Meaning] = {
    "injection": (E.QUEUED, ""),
    "delivery": (E.DELIVERED, ""),
    "bounce": (E.BOUNCED, "bounced"),
    "out_of_band": (E.BOUNCED, "bounced"),
    "delay": (E.DEFERRED, ""),
    "policy_rejection": (E.REJECTED, "blocked"),
    "generation_rejection": (E.REJECTED, "blocked"),
    "generation_failure": (E.FAILED, ""),
    "spam_complaint": (E.COMPLAINED, "spam"),
    "open": (E.OPENED, ""),
    "initial_open": (E.OPENED, ""),
    "amp_open": (E.OPENED, ""),
    "amp_initial_open": (E.OPENED, ""),
    "click": (E.CLICKED, ""),
    "amp_click": (E.CLICKED, ""),
    "list_unsubscribe": (E.UNSUBSCRIBED, ""),
    "link_unsubscribe": (E.UNSUBSCRIBED, ""),
}

CLASSES: Mapping[str, str] = {
    "1": "other",
    "10": "invalid",
    "20": "bounced",
    "21": "bounced",
    "22": "bounced",
    "23": "bounced",
    "24": "timed_out",
    "25": "blocked",
    "30": "bounced",
    "40": "bounced",
    "50": "blocked",
    "51": "spam",
    "52": "spam",
    "53": "other",
    "54": "blocked",
    "60": "other",
    "70": "bounced",
    "80": "other",
    "90": "unsubscribed",
    "100": "other",
}
"""Reasons by ``bounce_class``. A delay has one too, although nothing was refused."""

NO_BOUNCES: Mapping[str, E] = {
    "60": E.AUTORESPONDED,
    "80": E.SUBSCRIBED,
    "90": E.UNSUBSCRIBED,
    "100": E.AUTORESPONDED,
}
"""Classes of what came back and was no bounce."""

BOUNCES = frozenset({"bounce", "out_of_band"})


def meaning_of(status: str, bounce_class: str) -> Meaning:
    kind, reason = EVENTS.get(status, UNKNOWN)
    if not bounce_class:
        return kind, reason
    if status in BOUNCES:
        kind = NO_BOUNCES.get(bounce_class, kind)
    return kind, CLASSES.get(bounce_class, "other")
