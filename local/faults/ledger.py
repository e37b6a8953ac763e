"""What providers know: what they were asked, what they took, what they reported."""

import time
from dataclasses import dataclass, field
from uuid import UUID

from local.faults.moods import Treatment


@dataclass(slots=True)
class Request:
    """A message handed over to a provider, by ``worker``.

    ``taken`` says when it was taken, if it was; ``answered`` when the answer was given whole.
    ``attempt`` is unknown where messages don't carry its key. ``deduplication``: messages with the
    same one are one to the provider.
    """

    at: float
    provider: str
    item: UUID
    attempt: UUID | None
    worker: str
    treatment: Treatment
    taken: float | None = None
    answered: float | None = None
    deduplication: str | None = None

    def note_answer(self) -> None:
        self.answered = time.time()

    @property
    def seconds(self) -> float:
        """How long the answer took."""
        return float("inf") if self.answered is None else self.answered - self.at

    @property
    def message(self) -> object:
        """What is the same of all requests that are one message to the provider."""
        return self.deduplication or id(self)

    @property
    def clear(self) -> bool:
        """Whether the sender was told if the message was taken."""
        return self.treatment.clear and self.answered is not None


@dataclass(slots=True)
class Told:
    """A report about a ``message``, as requests name theirs.

    ``answers`` are the HTTP statuses (0: none) that it got, each with its time. ``word`` is
    what it amounts to: ``in_flight``, ``delivered`` or ``failed``.
    """

    item: UUID
    message: object
    name: str
    word: str
    answers: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])

    @property
    def heard(self) -> float | None:
        """When the application said that it has it."""
        return next((at for at, status in self.answers if 200 <= status < 300), None)


class Ledger:
    """The books of all providers together."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.told: list[Told] = []

    def unheard(self) -> int:
        """Reports that the application has not taken yet."""
        return sum(report.heard is None for report in self.told)
