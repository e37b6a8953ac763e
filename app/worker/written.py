"""The forms in which arvel writes a job down, read without believing anything."""

from collections.abc import Iterator
from typing import Annotated, Any
from uuid import UUID

import msgspec

from app.worker.refusal import Reason, Refused

type Word = Annotated[str, msgspec.Meta(max_length=255)]
type Carried = dict[str, Word | int | float | bool | None]
"""What a job carries of the request that dispatched it."""


class _Context(msgspec.Struct, forbid_unknown_fields=True):
    visible: Carried
    hidden: Carried


class Around(msgspec.Struct, forbid_unknown_fields=True, rename="__arvel_{}__".format):
    """What arvel keeps among a job's own attributes: attempts, and the chain or batch it is in."""

    attempts: int = 0
    chain: list[str] | None = None
    chain_catch: str | None = None
    batch: UUID | None = None


class Written(msgspec.Struct, forbid_unknown_fields=True):
    """A job to construct from ``args`` and ``kwargs``, or to restore from ``state``."""

    job: str
    args: list[Any] | None = None
    kwargs: dict[str, Any] | None = None
    state: dict[str, Any] | None = None
    trace: dict[str, str] | None = msgspec.field(name="_trace", default=None)
    context: _Context | None = msgspec.field(name="_context", default=None)
    log_context: Carried | None = msgspec.field(name="_log_context", default=None)

    @property
    def is_whole(self) -> bool:
        by_call = (self.args is not None, self.kwargs is not None)
        return by_call == (False, False) if self.state is not None else by_call == (True, True)

    @property
    def carried(self) -> Iterator[str]:
        """The names of what it carries of its request."""
        yield from self.log_context or ()
        if self.context is not None:
            yield from self.context.visible
            yield from self.context.hidden

    @property
    def own_state(self) -> dict[str, Any]:
        return {k: v for k, v in (self.state or {}).items() if k not in AROUND}

    def around(self) -> Around:
        around = {k: v for k, v in (self.state or {}).items() if k in AROUND}
        return msgspec.convert(around, Around)


AROUND = frozenset(Around.__struct_encode_fields__)
_decoder = msgspec.json.Decoder(Written)


def read(payload: str) -> tuple[Written, Around]:
    """What a payload says, and what arvel keeps beside it.

    Raises:
        Refused: it is in no form that arvel writes.
    """
    try:
        written = _decoder.decode(payload)
        around = written.around()
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(Reason.UNREADABLE, "The job is in no form that we know.") from error
    if not written.is_whole:
        raise Refused(Reason.UNREADABLE, "The job is in no form that we know.")
    return written, around
