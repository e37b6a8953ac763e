"""The publishing half of the queue: on signed streams, never failing its callers."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property, partial
from typing import Any, override

from arvel.queue import Job, QueueManager
from arvel.queue.middleware import ShouldBeUnique
from taskiq import AsyncTaskiqTask

from app.models.queries import released
from app.settings import QueueSettings
from app.worker import admitted, payloads, routing
from app.worker.broker import StreamBroker
from app.worker.commits import Commits
from app.worker.envelope import new_task_id, unwrap, wrap
from app.worker.guard import Guard
from app.worker.known import Known
from app.worker.names import Names, log
from app.worker.payloads import Call
from app.worker.port import Broker
from app.worker.publisher import Message, OnPublishFailed, Publisher, log_unpublished, tell
from app.worker.signing import configured
from app.worker.unique import send_once

type InstanceRule = Callable[[Any], Awaitable[None]]
"""What happens in place of publishing an instance of a class of jobs; gets the instance."""


class Publishing(QueueManager):
    """Jobs under ``app/jobs`` are known; ``allow…`` adds what else workers may run.

    A job that does not reach the broker waits in ``jobs`` until it does, unless its class is in
    ``found_again``: then the database knows of its work by other means. Of what can't wait there,
    ``on_publish_failed`` is told. Providers may set these, and put rules for classes of jobs into
    ``instance_rules``: an instance comes from a chain, a batch or a queued listener, or it is a
    dead letter that code revives by ``FailedJob.retry()``.
    """

    def __init__(self, app: Any = None, broker: Any = None, known: Known | None = None) -> None:
        super().__init__(app, broker)
        self.known = known or Known()
        self.guard = Guard(self.known)
        self.allow = self.known.allow
        self.allow_callback = self.known.allow_callback
        self.allow_listener = self.known.allow_listener
        self.allow_model = self.known.allow_model
        self.allow_context = self.known.allow_context
        self.allow_queue = self.known.allow_queue
        self.on_publish_failed: OnPublishFailed = log_unpublished
        self.instance_rules: dict[type[Job], InstanceRule] = {}
        self.found_again: set[type[Job]] = set()
        self._commits = Commits(self._publish)

    @override
    def create_redis_driver(self) -> StreamBroker:
        settings = self._settings(QueueSettings)
        return StreamBroker(settings.url, Names(settings.prefix), configured())

    def create_amqp_driver(self) -> Broker:
        from app.worker.amqp.broker import AmqpBroker

        settings = self._settings(QueueSettings)
        return AmqpBroker(settings.url, Names(settings.prefix), configured())

    @property
    def on_broker(self) -> bool:
        """Whether jobs travel to workers; the memory driver runs them where they are."""
        return isinstance(self.broker, Broker)

    @override
    async def push(
        self,
        job_cls: type[Job],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        queue: str | None = None,
        after_commit: bool | None = None,
    ) -> AsyncTaskiqTask[Any] | None:
        """Hand a job to the workers; ``None`` when it waits for the commit or for the broker.

        Raises:
            UnknownQueue: no worker reads this queue.
            Refused: no worker would run this job.
        """
        asked, kwargs = routing.split(job_cls, kwargs)
        queue = queue or asked
        if not self.on_broker:
            return await super().push(job_cls, args, kwargs, queue=queue, after_commit=after_commit)
        (message,) = self._messages(job_cls, [((args, kwargs), queue)])
        waits = job_cls.after_commit if after_commit is None else after_commit
        if issubclass(job_cls, ShouldBeUnique):
            job: Job = job_cls(*args, **kwargs)
            sent = await self._push_unique(message, job, waits=waits)
        else:
            sent = await self._send([message], waits=waits)
        return self._task(message) if sent else None

    async def push_many(
        self,
        job_cls: type[Job],
        items: Sequence[tuple[tuple[Any, ...], str | None]],
        *,
        after_commit: bool = True,
    ) -> list[str]:
        """Hand many jobs of one class to the workers, in one pipeline.

        Args:
            items: for each job its arguments and the queue (``None``: that of the class).
            after_commit: whether they wait for the commit of a transaction that is open.

        Returns:
            The ids of the tasks; none of them when they wait for the commit, or when the broker
            is away: ``on_publish_failed`` has been told then.
        """
        if not self.on_broker:
            tasks = [await self.push(job_cls, args, {}, queue=label) for args, label in items]
            return [task.task_id for task in tasks if task is not None]
        messages = self._messages(job_cls, [((args, {}), label) for args, label in items])
        sent = await self._send(messages, waits=after_commit)
        return [message.task_id for message in messages] if sent else []

    @override
    async def push_instance(
        self, job: Job, *, queue: str | None = None
    ) -> AsyncTaskiqTask[Any] | None:
        """Hand a job to the workers as it is.

        Raises:
            UnknownQueue: no worker reads this queue.
            Refused: no worker would run this job.
        """
        if (rule := self.instance_rules.get(type(job))) is not None:
            return await rule(job)
        if not self.on_broker:
            return await super().push_instance(job, queue=queue)
        payload = payloads.of_instance(job, self.known.carried)
        message = self._message(payload, self._label(type(job), queue))
        return self._task(message) if await self._publish([message]) else None

    async def publish_payload(self, payload: str, label: str) -> bool:
        """Hand over a job that is already written down; whether that worked.

        Raises:
            Refused: no worker would run this job.
        """
        return not await self._publisher.publish([self._message(payload, label)])

    @override
    async def dispatch_after(
        self, delay: float, job: Job, *, queue: str | None = None, attempts: int = 0
    ) -> int:
        """Hand a job to the workers ``delay`` seconds from now; joins an open transaction.

        The time is the database's. Returns the id of the row in ``jobs``.
        """
        payload = payloads.of_instance(job, self.known.carried)
        label = self._label(type(job), queue)
        return await self._store(label, payload, attempts, max(0.0, delay))

    async def _store(self, label: str, payload: str, attempts: int = 0, delay: float = 0.0) -> int:
        admitted.insist(self.guard.check(payload).name)
        stored = await released.store(label, payload, attempts, delay)
        if not await self._commits.call(self._note_stored):
            await self._note_stored()
        return stored

    async def _note_stored(self) -> None:
        """A job was put into the table; a worker of this process may want to know."""

    @override
    def _queue_label(self, job_cls: type, explicit: str | None) -> str:
        return explicit or routing.inherited(job_cls) or super()._queue_label(job_cls, None)

    def _label(self, job_cls: type[Job], explicit: str | None) -> str:
        return self.known.queue(self._queue_label(job_cls, explicit))

    def _messages(
        self, job_cls: type[Job], items: Sequence[tuple[Call, str | None]]
    ) -> list[Message]:
        written = payloads.of_calls(job_cls, [call for call, _ in items], self.known.carried)
        return [
            self._message(payload, self._label(job_cls, label), (*args, *kwargs.values()))
            for payload, ((args, kwargs), label) in zip(written, items, strict=True)
        ]

    def _message(self, payload: str, label: str, args: tuple[Any, ...] | None = None) -> Message:
        job = self.guard.check(payload)
        given = job.by_place if args is None else args
        task_id = new_task_id()
        return Message(job.job_cls, given, label, task_id, wrap(payload, label, task_id))

    def _task(self, message: Message) -> AsyncTaskiqTask[Any]:
        return AsyncTaskiqTask(message.task_id, self.broker.result_backend)

    @cached_property
    def _publisher(self) -> Publisher:
        return Publisher(self.broker)

    async def _publish(self, messages: Sequence[Message]) -> bool:
        missing = await self._publisher.publish(messages)
        await self._keep_all(missing)
        return not missing

    async def _publish_or_keep(self, message: Message) -> bool:
        return await self._keep_all(await self._publisher.publish([message]))

    async def _keep_all(self, missing: Sequence[Message]) -> bool:
        lost = [message for message in missing if not await self._keep(message)]
        await tell(self.on_publish_failed, lost)
        return not lost

    async def _keep(self, message: Message) -> bool:
        """While the broker is away, ``jobs`` keeps what nothing else would find again."""
        payload = unwrap(message.data, message.label)
        if message.job_cls in self.found_again or payload is None:
            return False
        try:
            await self._store(message.label, payload)
        except Exception as error:
            log().error("job_not_kept", error=type(error).__name__)
            return False
        return True

    async def _send(self, messages: Sequence[Message], *, waits: bool) -> bool:
        if waits and await self._commits.add(messages):
            return False
        return await self._publish(messages)

    async def _push_unique(self, message: Message, job: Job, *, waits: bool) -> bool:
        send = partial(self._send_once, message, job)
        if waits and await self._commits.call(send):
            return False
        return await send()

    async def _send_once(self, message: Message, job: Job) -> bool:
        try:
            return await send_once(job, partial(self._publish_or_keep, message))
        except Exception as error:
            log().warning("lock_unavailable", error=type(error).__name__)
            await tell(self.on_publish_failed, [message])
            return False
