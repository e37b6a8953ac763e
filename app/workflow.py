"""The workflow of a queue item: its states and every move between them, as data.

The statements of ``app/models/queries``, the generated page ``docs/workflow.md`` and the tests all
read this table; nothing else in Pillarbox knows which move is allowed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    QUEUED = "queued"
    SENDING = "sending"
    AWAITING = "awaiting"
    DELAYED = "delayed"
    ERRORED = "errored"
    SUCCEEDED = "succeeded"
    UNCONFIRMED = "unconfirmed"
    CANCELLED = "cancelled"


DONE = frozenset({State.CANCELLED, State.SUCCEEDED, State.UNCONFIRMED})


class Kind(StrEnum):
    """How a move stands to the workflow.

    ``late`` moves happen on evidence only: a provider's report or a late record about an attempt.
    ``ignored`` moves keep the state and take the event's text into ``result``.
    """

    NORMAL = "normal"
    LATE = "late"
    IGNORED = "ignored"


class ErrorKind(StrEnum):
    """Why an item is errored: for our own reasons, or for the provider's."""

    PUBLISH_FAILED = "publish_failed"
    OUTCOME_UNKNOWN = "outcome_unknown"
    POISONED = "poisoned"
    UNFORESEEN = "unforeseen"
    RETRIES_EXHAUSTED = "retries_exhausted"
    REJECTED = "rejected"
    OPTED_OUT = "opted_out"
    CONFIGURATION = "configuration"
    REPORTED = "reported"


OUR_ERRORS = frozenset(
    {
        ErrorKind.PUBLISH_FAILED,
        ErrorKind.OUTCOME_UNKNOWN,
        ErrorKind.POISONED,
        ErrorKind.UNFORESEEN,
        ErrorKind.RETRIES_EXHAUSTED,
    }
)


@dataclass(frozen=True, slots=True)
class Move:
    """One source of a transition. ``error_kinds`` and ``method`` narrow a late move further."""

    transition: str
    source: State
    target: State
    kind: Kind = Kind.NORMAL
    error_kinds: frozenset[ErrorKind] = frozenset()
    method: str | None = None


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition's name, where it leads, what applies it, and who may ask for it."""

    name: str
    sources: tuple[State, ...]
    target: State
    applied_when: str
    permission: str | None = None


S = State

TRANSITIONS: tuple[Transition, ...] = (
    Transition("send", (S.QUEUED, S.DELAYED), S.SENDING, "a worker starts an attempt"),
    Transition(
        "await",
        (S.SENDING,),
        S.AWAITING,
        "the provider accepted, or a status says in flight",
    ),
    Transition("delay", (S.SENDING, S.AWAITING), S.DELAYED, "an automatic retry is scheduled"),
    Transition(
        "error",
        (S.QUEUED, S.SENDING, S.AWAITING, S.DELAYED),
        S.ERRORED,
        "publishing or sending fails, the provider reports failure, the outcome is unknown",
    ),
    Transition("succeed", (S.SENDING, S.AWAITING), S.SUCCEEDED, "the provider reports delivery"),
    Transition("timeout", (S.AWAITING,), S.UNCONFIRMED, "no final status in time"),
    Transition(
        "retry",
        (S.DELAYED, S.ERRORED),
        S.QUEUED,
        "an operator, or the healing of a failed publish",
        permission="can_retry",
    ),
    Transition(
        "cancel",
        (S.QUEUED, S.DELAYED, S.ERRORED),
        S.CANCELLED,
        "an operator; expiry, from queued and delayed only",
        permission="can_cancel",
    ),
)

UNKNOWN_ONLY = frozenset({ErrorKind.OUTCOME_UNKNOWN})

LATE: tuple[Move, ...] = (
    Move("await", S.QUEUED, S.AWAITING, Kind.LATE),
    Move("await", S.DELAYED, S.AWAITING, Kind.LATE),
    Move("await", S.ERRORED, S.AWAITING, Kind.LATE, OUR_ERRORS),
    Move("succeed", S.QUEUED, S.SUCCEEDED, Kind.LATE),
    Move("succeed", S.DELAYED, S.SUCCEEDED, Kind.LATE),
    Move("succeed", S.ERRORED, S.SUCCEEDED, Kind.LATE, OUR_ERRORS),
    Move("succeed", S.ERRORED, S.SUCCEEDED, Kind.LATE, method="sms"),
    Move("succeed", S.UNCONFIRMED, S.SUCCEEDED, Kind.LATE),
    Move("delay", S.ERRORED, S.DELAYED, Kind.LATE, UNKNOWN_ONLY),
    Move("error", S.ERRORED, S.ERRORED, Kind.LATE, UNKNOWN_ONLY),
    Move("error", S.SUCCEEDED, S.ERRORED, Kind.LATE, method="email"),
    Move("error", S.UNCONFIRMED, S.ERRORED, Kind.LATE),
)

IGNORED: tuple[Move, ...] = (
    Move("succeed", S.CANCELLED, S.CANCELLED, Kind.IGNORED),
    Move("error", S.CANCELLED, S.CANCELLED, Kind.IGNORED),
)

RANKS: Mapping[str, Mapping[str, int]] = {
    "email": {"in_flight": 1, "unconfirmed": 2, "engaged": 3, "delivered": 4, "failed": 5},
    "sms": {"in_flight": 1, "unconfirmed": 2, "failed": 3, "engaged": 4, "delivered": 5},
}
"""What is believed about one attempt when several things are said: the highest rank.

An email can bounce after a server took it (RFC 3464), so failure outranks delivery; a carrier's
receipt for an SMS outranks the failures that came before it.
"""


def _normal() -> Iterator[Move]:
    for transition in TRANSITIONS:
        for source in transition.sources:
            yield Move(transition.name, source, transition.target)


MOVES: tuple[Move, ...] = (*_normal(), *LATE, *IGNORED)


def find_moves(transition: str, source: State) -> tuple[Move, ...]:
    """The moves of that name from that state: none where the workflow has no such source."""
    return tuple(m for m in MOVES if m.transition == transition and m.source == source)


def transition_named(name: str) -> Transition:
    """The transition of that name; raises ``KeyError`` where there is none."""
    return {t.name: t for t in TRANSITIONS}[name]
