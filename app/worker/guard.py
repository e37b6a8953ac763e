"""Stands before arvel's decoder, which imports and calls whatever a message names.

Nothing of a message is believed before its signature is: a row of ``jobs`` and a dead letter have
none, so everything that they name is looked up in the table of what is known.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, cast

from arvel.queue import Job
from arvel.queue.listener import CallQueuedListener

from app.worker import shapes
from app.worker.envelope import unwrap
from app.worker.known import Known, reference
from app.worker.refusal import Reason, Refused
from app.worker.signing import Signer
from app.worker.written import Around, Written, read

LARGEST = 16 * 1024
"""Bytes of a message; a chain carries its links and may be bigger."""
LARGEST_CHAIN = 64 * 1024


@dataclass(frozen=True, slots=True)
class KnownJob:
    """A job that may run: its class and what it was given, by name, as it travelled."""

    job_cls: type[Job]
    arguments: Mapping[str, Any]

    @property
    def name(self) -> str:
        return reference(self.job_cls)

    @property
    def by_place(self) -> tuple[Any, ...]:
        """The arguments in the order of the constructor."""
        names = shapes.parameters_of(self.job_cls)
        return tuple(self.arguments[name] for name in names if name in self.arguments)


class Guard:
    def __init__(self, known: Known) -> None:
        self._known = known

    @property
    def carried(self) -> Set[str]:
        """By which names a job may carry what its request had bound."""
        return self._known.carried

    def open(
        self, signer: Signer, label: str, data: bytes, signature: bytes
    ) -> tuple[str, KnownJob]:
        """The payload of a message on the queue ``label``, and the job that it stands for.

        Raises:
            Refused: the message must not run.
        """
        if len(data) > LARGEST_CHAIN:
            raise Refused(Reason.TOO_BIG, "The message is too big.")
        if not signer.verify(label, data, signature):
            raise Refused(Reason.BAD_SIGNATURE, "The message is not signed with our key.")
        payload = unwrap(data, label)
        if payload is None:
            raise Refused(Reason.UNREADABLE, "This is no message of ours.")
        try:
            return payload, self.check(payload)
        except Refused:
            raise
        except Exception as error:
            # One message must not stop a worker, nor pass because it could not be judged.
            raise Refused(Reason.UNREADABLE, "The job can't be judged.") from error

    def check(self, payload: str) -> KnownJob:
        """The job that a payload stands for, wherever the payload comes from.

        Raises:
            Refused: the payload must not reach the decoder.
        """
        written, around = read(payload)
        if len(payload.encode()) > (LARGEST_CHAIN if around.chain else LARGEST):
            raise Refused(Reason.TOO_BIG, "The job carries too much.")
        job = self._job(written)
        self._check_carried(written)
        self.check_callbacks([] if around.chain_catch is None else [around.chain_catch])
        for link in around.chain or []:
            self._check_link(link)
        return job

    def check_callbacks(self, names: Sequence[object]) -> None:
        """Refuse callbacks, as a chain or a batch names them, that nobody allowed."""
        if not all(self._known.is_callback(name) for name in names):
            raise Refused(
                Reason.UNKNOWN_CALLBACK,
                "A callback is not allowed: a provider adds it with queue.allow_callback().",
            )

    def _job(self, written: Written) -> KnownJob:
        job_cls = self._known.job(written.job)
        if job_cls is None:
            raise Refused(
                Reason.UNKNOWN_JOB,
                "The job is none of this application; a provider adds one with queue.allow().",
            )
        job = KnownJob(job_cls, _arguments(job_cls, written))
        self._check_arguments(job)
        if job_cls is CallQueuedListener:
            self._check_listener(job)
        return job

    def _check_arguments(self, job: KnownJob) -> None:
        shape = shapes.attributes_of(job.job_cls)
        for name, value in job.arguments.items():
            if name not in shape or not shape[name](value):
                raise _bad_arguments(job.job_cls)
            self._check_references(value)

    def _check_listener(self, job: KnownJob) -> None:
        if not self._known.is_listener(job.arguments.get("listener_ref")):
            raise Refused(
                Reason.UNKNOWN_LISTENER,
                "The listener is not allowed: a provider adds it with queue.allow_listener().",
            )

    def _check_references(self, value: Any) -> None:
        if isinstance(value, list):
            for entry in cast("list[Any]", value):
                self._check_references(entry)
        elif isinstance(value, dict):
            self._check_reference(cast("dict[str, Any]", value))

    def _check_reference(self, value: dict[str, Any]) -> None:
        refused = "__class__" in value and not self._known.is_listener(value["__class__"])
        refused |= "__model__" in value and not self._known.is_model(value["__model__"])
        if refused:
            raise Refused(
                Reason.UNKNOWN_REFERENCE, "An argument names a class that a job may not name."
            )
        for entry in value.values():
            self._check_references(entry)

    def _check_link(self, link: str) -> None:
        written, around = read(link)
        if written.state is None or around != Around():
            raise Refused(Reason.UNREADABLE, "A link of a chain is in no form that we know.")
        self._job(written)
        self._check_carried(written)

    def _check_carried(self, written: Written) -> None:
        if not self._known.carried.issuperset(written.carried):
            raise Refused(
                Reason.BAD_CONTEXT,
                "The job carries more of its request than is allowed: a provider adds a name with"
                " queue.allow_context().",
            )


def _arguments(job_cls: type[Job], written: Written) -> dict[str, Any]:
    if written.state is not None:
        return written.own_state
    try:
        call = shapes.signature_of(job_cls).bind(*(written.args or []), **(written.kwargs or {}))
    except TypeError:
        raise _bad_arguments(job_cls) from None
    return call.arguments


def _bad_arguments(job_cls: type[Job]) -> Refused:
    return Refused(
        Reason.BAD_ARGUMENTS,
        f"{job_cls.__name__} doesn't take these arguments. What a job carries has the name and kind"
        " of a parameter of its constructor, or is declared in its class with its type.",
    )
