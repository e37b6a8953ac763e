"""The commands with which one worker reads the streams, as one consumer of their group."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from app.worker.connection import is_wrong_type
from app.worker.delivery import Delivery
from app.worker.names import GROUP, KEEP, LABELS, Names, log
from app.worker.port import Abandoned

OLDEST_SERVER = (6, 2)

PRUNE = """
local removed = 0
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
    local facts = {}
    for i = 1, #consumer, 2 do facts[consumer[i]] = consumer[i + 1] end
    local gone = facts['name'] == ARGV[2] or facts['idle'] > tonumber(ARGV[3])
    if gone and facts['pending'] == 0 then
        redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], facts['name'])
        removed = removed + 1
    end
end
return removed
"""
"""In one step, since removing a consumer throws away whatever it holds by then."""


class ServerTooOld(RuntimeError):
    """The broker is older than Redis 6.2, which this queue needs. Use Redis 6.2 or Valkey 7.2."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Streams:
    """A queue whose key is no stream is left alone, and looks empty, until the key is gone."""

    def __init__(self, client: Redis, reader: Redis, names: Names, worker_id: str) -> None:
        # Untyped: redis-py types the answers of stream commands as nearly anything.
        self._client = cast("Any", client)
        self._reader = cast("Any", reader)
        self._names = names
        self._unreadable: set[str] = set()
        # New for each process, so that nobody takes a dead worker's messages for its own.
        self.consumer = f"{worker_id}:{secrets.token_hex(4)}"

    async def prepare(self) -> None:
        """Create what is missing: streams and groups, which read from the very beginning."""
        info = await self._client.info("server")
        version = tuple(int(part) for part in str(info["redis_version"]).split(".")[:2])
        if version < OLDEST_SERVER:
            raise ServerTooOld
        for label in LABELS:
            await self._create_group(label)
        await self.touch()

    async def look_again(self) -> None:
        """See whether queues that could not be read can be by now."""
        for label in sorted(self._unreadable):
            await self._create_group(label)

    async def read(self, label: str, count: int) -> list[Delivery]:
        """New messages of one queue, if there are any."""
        return await self._read([label], count, None)

    async def wait(self, labels: Sequence[str], count: int, seconds: float) -> list[Delivery]:
        """New messages of any of the queues, at most ``count`` of each, as soon as one comes."""
        return await self._read(labels, count, max(1, int(seconds * 1000)))

    async def stop_reading(self) -> None:
        """Nothing: only what is asked for comes."""

    async def abandoned(self, label: str, idle: float, count: int) -> list[Abandoned]:
        """Messages whose worker has given no sign of life for ``idle`` seconds."""
        if label in self._unreadable:
            return []
        entries = await self._client.xpending_range(
            self._names.stream(label), GROUP, "-", "+", count, idle=int(idle * 1000)
        )
        return [Abandoned(e["message_id"], e["times_delivered"]) for e in entries]

    async def take(self, label: str, ids: Sequence[bytes], idle: float) -> list[Delivery]:
        """Make abandoned messages ours; others may have been quicker with some of them."""
        stream = self._names.stream(label)
        entries = await self._client.xclaim(
            stream, GROUP, self.consumer, int(idle * 1000), list(ids)
        )
        return [_delivery(label, i, fields) for i, fields in entries if fields]

    async def beat(self, label: str, ids: Sequence[bytes]) -> None:
        """Say that we are at work on these messages."""
        if label in self._unreadable:
            return
        stream = self._names.stream(label)
        await self._client.xclaim(stream, GROUP, self.consumer, 0, list(ids), justid=True)

    async def touch(self) -> None:
        """Keep the streams from expiring."""
        pipeline = self._client.pipeline(transaction=False)
        for label in LABELS:
            pipeline.expire(self._names.stream(label), KEEP)
        await pipeline.execute()

    async def settle(self, deliveries: Sequence[Delivery]) -> None:
        """Acknowledge and remove messages whose work is done."""
        by_label: dict[str, list[bytes]] = {}
        for delivery in deliveries:
            if delivery.label not in self._unreadable:
                by_label.setdefault(delivery.label, []).append(delivery.id)
        pipeline = self._client.pipeline(transaction=True)
        for label, ids in by_label.items():
            pipeline.xack(self._names.stream(label), GROUP, *ids)
            pipeline.xdel(self._names.stream(label), *ids)
        await pipeline.execute()

    async def hand_back(self, label: str, idle: float) -> None:
        """Let others take at once what we were given and did not finish."""
        if label not in self._unreadable:
            await self._abandon(label, self.consumer, idle)

    async def abandon(self, label: str, worker_id: str, idle: float) -> int:
        """The same for whatever other consumers of that worker's name hold; how many those are."""
        if label in self._unreadable:
            return 0
        found = await self._client.xinfo_consumers(self._names.stream(label), GROUP)
        held = {str(one["name"], "utf-8", "replace") for one in found if one["pending"]}
        earlier = [n for n in held if n.rpartition(":")[0] == worker_id and n != self.consumer]
        return sum([await self._abandon(label, consumer, idle) for consumer in earlier])

    async def _abandon(self, label: str, consumer: str, idle: float) -> int:
        stream = self._names.stream(label)
        entries = await self._client.xpending_range(
            stream, GROUP, "-", "+", 10_000, consumername=consumer
        )
        ids = [entry["message_id"] for entry in entries]
        if ids:
            since = int(idle * 1000) + 1
            await self._client.xclaim(stream, GROUP, consumer, 0, ids, idle=since, justid=True)
        return len(ids)

    async def prune(self, label: str, silent: float, *, leave: bool = False) -> int:
        """Remove consumers that hold nothing and were silent for long; ``leave``: and our own."""
        if label in self._unreadable:
            return 0
        ours = self.consumer if leave else ""
        stream = self._names.stream(label)
        return await self._client.eval(PRUNE, 1, stream, GROUP, ours, int(silent * 1000))

    async def close(self) -> None:
        """Close the connection that waits for messages; the other one is the broker's."""
        await self._reader.aclose()

    async def length(self, labels: Sequence[str]) -> int:
        """How many messages the queues hold, waiting or being worked on."""
        readable = self._readable(labels)
        return sum([await self._client.xlen(self._names.stream(label)) for label in readable])

    async def _read(self, labels: Sequence[str], count: int, block: int | None) -> list[Delivery]:
        by_stream = {self._names.stream(la).encode(): la for la in self._readable(labels)}
        if not by_stream:
            await asyncio.sleep((block or 0) / 1000)
            return []
        answer = await self._reader.xreadgroup(
            GROUP, self.consumer, dict.fromkeys(by_stream, ">"), count=count, block=block
        )
        return [
            _delivery(by_stream[stream], identifier, fields)
            for stream, entries in answer or ()
            for identifier, fields in entries
        ]

    def _readable(self, labels: Sequence[str]) -> list[str]:
        return [label for label in labels if label not in self._unreadable]

    async def _create_group(self, label: str) -> None:
        stream = self._names.stream(label)
        try:
            await self._client.xgroup_create(stream, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if is_wrong_type(error):
                self._leave_alone(label)
                return
            if "BUSYGROUP" not in str(error):
                raise
        if label in self._unreadable:
            self._unreadable.discard(label)
            log().info("queue_readable_again", queue=label)

    def _leave_alone(self, label: str) -> None:
        if label in self._unreadable:
            return
        self._unreadable.add(label)
        log().error(
            "queue_unreadable",
            queue=label,
            key=self._names.stream(label),
            reason="This key is no stream: somebody else wrote it. Remove it, and set QUEUE_PREFIX"
            " if another application uses the same server.",
        )


def _delivery(label: str, identifier: bytes, fields: Mapping[bytes, bytes]) -> Delivery:
    return Delivery(label, identifier, fields.get(b"data", b""), fields.get(b"sig", b""))
