"""What a provider's refusal means, by its own codes where they are known, else by HTTP status."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.transports.contract import Outcome, Unknown
from app.transports.email.refusals import MAYBE_SENT, Refusal, class_of_status, outcome_of
from app.transports.email.tidy import tidy
from app.transports.http import Answer

LONGEST_QUOTE = 500
"""Characters of a provider's own words."""

LONGEST_CODE = 64

UNKNOWN_TO_THEM = frozenset({401, 402})
"""Statuses that pause a channel, whatever code that we don't know comes with them."""


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """``meaning`` completes "Provider: …". ``quotes``: the provider's own text says what is wrong
    with the message; where it doesn't, its text is left out, for it may quote addresses."""

    refusal: Refusal
    meaning: str
    quotes: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """What a provider said in place of acceptance."""

    status: int
    code: str = ""
    said: str = ""
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """A provider's table of codes. ``believes_5xx``: its codes count with any status."""

    provider: str
    codes: Mapping[str, ErrorCode]
    believes_5xx: bool = False

    def judge(self, refused: Refused, secrets: Iterable[str]) -> Outcome:
        """From 500 on a provider failed midway, and its codes are not believed any more."""
        believed = refused.code if refused.status < 500 or self.believes_5xx else ""
        known = self.codes.get(believed)
        said = tidy(refused.said, secrets)[:LONGEST_QUOTE]
        text = self._explain(known, refused, said if believed or refused.status < 500 else "")
        refusal = known.refusal if known else class_of_status(refused.status)
        if known is None and refused.status in UNKNOWN_TO_THEM:
            believed = ""
        code = tidy(believed, secrets)[:LONGEST_CODE] or f"http_{refused.status}"
        return outcome_of(refusal, text.rstrip(".") + ".", code, refused.retry_after)

    def unreadable(self, answer: Answer) -> Unknown:
        """A success that doesn't say what became of the message."""
        text = f"{self.provider}'s answer (HTTP {answer.status}) can't be read. {self._look}"
        return Unknown(text, f"http_{answer.status}")

    def no_id(self) -> Unknown:
        return Unknown(f"{self.provider}'s answer names no message. {self._look}", "no_id")

    @property
    def _look(self) -> str:
        return f"{MAYBE_SENT} Look for it at {self.provider} before you send it again."

    def _explain(self, known: ErrorCode | None, refused: Refused, said: str) -> str:
        if known is not None:
            quoted = f" ({said})" if known.quotes and said else ""
            return f"{self.provider}: {known.meaning}{quoted}"
        status = f"{self.provider} answered HTTP {refused.status}"
        return f"{status}: {said}" if said else status


def is_id(text: str) -> bool:
    """Whether this can be the id of a message."""
    return 0 < len(text) <= 200 and text.isascii() and text.isprintable()


def is_success(answer: Answer) -> bool:
    return 200 <= answer.status < 300
