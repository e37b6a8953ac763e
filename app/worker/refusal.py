"""What the guard says to a message that must not reach arvel's decoder."""

from enum import StrEnum


class Reason(StrEnum):
    TOO_BIG = "too_big"
    BAD_SIGNATURE = "bad_signature"
    UNREADABLE = "unreadable"
    UNKNOWN_JOB = "unknown_job"
    BAD_ARGUMENTS = "bad_arguments"
    UNKNOWN_CALLBACK = "unknown_callback"
    UNKNOWN_LISTENER = "unknown_listener"
    UNKNOWN_REFERENCE = "unknown_reference"
    BAD_CONTEXT = "bad_context"
    POISONED = "poisoned"


class Refused(Exception):
    """A job that must not run.

    The text names what is wrong and never holds a value, since values may be anybody's data.
    """

    def __init__(self, reason: Reason, text: str) -> None:
        super().__init__(text)
        self.reason = reason
