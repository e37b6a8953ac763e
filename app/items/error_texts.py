"""Error kinds in words: what happened to an item, for people."""

from collections.abc import Mapping

from app.workflow import ErrorKind

TEXTS: Mapping[ErrorKind, str] = {
    ErrorKind.PUBLISH_FAILED: "It could not be handed to the workers; nothing was sent.",
    ErrorKind.OUTCOME_UNKNOWN: "Nobody knows whether the provider took it: it may have been sent.",
    ErrorKind.POISONED: "Workers failed over it again and again before anything was sent.",
    ErrorKind.UNFORESEEN: "Something failed that nobody foresaw; it was not sent.",
    ErrorKind.RETRIES_EXHAUSTED: "The provider put it off until no retry was left.",
    ErrorKind.REJECTED: "The provider refused it.",
    ErrorKind.OPTED_OUT: "The receiver does not want messages from this sender.",
    ErrorKind.CONFIGURATION: "The provider refused our account or settings, not this message.",
    ErrorKind.REPORTED: "The provider took it, and later reported that it was not delivered.",
}


def describe_error(kind: ErrorKind) -> str:
    return TEXTS[kind]
