"""What the worker and the publisher need of a broker, whichever it is."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple, NoReturn, Protocol, override

from taskiq import AckableMessage, AsyncBroker, BrokerMessage

from app.models.queries.gauges import Reading
from app.worker.delivery import Delivery
from app.worker.names import Names
from app.worker.pace import Pace
from app.worker.signing import Signer


@dataclass(frozen=True, slots=True)
class Outgoing:
    label: str
    data: bytes


@dataclass(frozen=True, slots=True)
class SetAside:
    """What quarantine keeps of a message or of a job that came from a table."""

    label: str
    reason: str
    content: Mapping[str, bytes]


class Abandoned(NamedTuple):
    id: bytes
    deliveries: int


class Unwritable(Exception):
    """Nothing can be put on the queues ``labels``: what has their names is somebody else's."""

    def __init__(self, labels: Set[str]) -> None:
        super().__init__(f"These queues are none of ours: {', '.join(sorted(labels))}.")
        self.labels = labels


class Mailbox(Protocol):
    """The queues as one worker reads them, and the messages that it holds.

    Everything that asks the broker raises what ``AWAY`` names while it is away.
    """

    @property
    def consumer(self) -> str:
        """Who reads, in the words of the log."""
        ...

    async def prepare(self) -> None:
        """Make what is missing; again after each absence of the broker."""
        ...

    async def look_again(self) -> None:
        """See whether queues that could not be read can be by now."""
        ...

    async def read(self, label: str, count: int) -> list[Delivery]:
        """New messages of one queue, if there are any."""
        ...

    async def wait(self, labels: Sequence[str], count: int, seconds: float) -> list[Delivery]:
        """New messages of any of the queues, at most ``count`` of each, as soon as one comes."""
        ...

    async def stop_reading(self) -> None:
        """Take no more, while what was begun goes on."""
        ...

    async def abandoned(self, label: str, idle: float, count: int) -> list[Abandoned]:
        """Messages whose worker has given no sign of life for ``idle`` seconds."""
        ...

    async def take(self, label: str, ids: Sequence[bytes], idle: float) -> list[Delivery]:
        """Make abandoned messages ours; others may have been quicker with some of them."""
        ...

    async def beat(self, label: str, ids: Sequence[bytes]) -> None:
        """Say that we are at work on these messages."""
        ...

    async def settle(self, deliveries: Sequence[Delivery]) -> None:
        """Acknowledge and remove messages whose work is done."""
        ...

    async def abandon(self, label: str, worker_id: str, idle: float) -> int:
        """Give up what an earlier process of that name holds; how many messages those are."""
        ...

    async def hand_back(self, label: str, idle: float) -> None:
        """Let others take at once what we were given and did not finish."""
        ...

    async def prune(self, label: str, silent: float, *, leave: bool = False) -> int:
        """Remove what readers left that were silent for long; ``leave``: and what is ours."""
        ...

    async def touch(self) -> None:
        """Keep the queues from expiring."""
        ...

    async def length(self, labels: Sequence[str]) -> int:
        """How many messages the queues hold."""
        ...

    async def close(self) -> None: ...


class Broker(AsyncBroker):
    """Puts signed messages on the queues; a worker reads them from its mailbox, behind its guard.

    ``server`` is its name where somebody watches, ``batch`` how many messages fit into one
    hand-over of a second.
    """

    server: ClassVar[str]
    batch: ClassVar[int]

    def __init__(self, url: str, names: Names, signer: Signer) -> None:
        super().__init__()
        self.url = url
        self.names = names
        self.signer = signer

    @abstractmethod
    async def add(self, messages: Sequence[Outgoing]) -> None:
        """Put all of them on their queues, in one go.

        Raises:
            Unwritable: some are no queues of ours; the messages of all others were put.
            Exception: what ``AWAY`` names.
        """

    @abstractmethod
    def mailbox(self, worker_id: str, pace: Pace, holds: Callable[[str, bytes], bool]) -> Mailbox:
        """For one worker; ``holds`` says whether it works on a message."""

    @abstractmethod
    async def set_aside(self, what: SetAside, delivery: Delivery | None = None) -> None:
        """Keep for people to look at, and acknowledge; raises what ``AWAY`` names."""

    @abstractmethod
    async def oldest(self) -> dict[str, datetime | None]:
        """For each queue a time before which nothing that still waits was put there; ``None``:
        nothing waits. A queue on which nothing can be put is left out."""

    @abstractmethod
    async def gauges(self) -> list[Reading]:
        """What metrics show of it."""

    @abstractmethod
    async def ping(self) -> None:
        """Raises what ``AWAY`` names."""

    @override
    async def kick(self, message: BrokerMessage) -> None:
        label = str(message.labels.get("queue") or "default")
        await self.add([Outgoing(label, message.message)])

    @override
    def listen(self) -> AsyncGenerator[bytes | AckableMessage]:
        return self._refuse()

    def _refuse(self) -> NoReturn:
        # taskiq's own receiver would hand messages to arvel's decoder without the guard.
        raise RuntimeError("These queues are read by `arvel queue:work`, not by taskiq's worker.")
