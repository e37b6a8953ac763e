"""What waits on the streams."""

from typing import Any, cast

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from app.doctor.finding import Finding, ok, warning, wrong
from app.doctor.subject import Subject
from app.worker.connection import is_wrong_type
from app.worker.names import GROUP, LABELS, Names

FOREIGN = (
    "Nothing is sent through these queues. Find out who wrote them and remove them; set"
    " QUEUE_PREFIX if another application uses the same server."
)


async def streams(client: Redis, _check: str, subject: Subject) -> list[Finding]:
    names, redis = Names(subject.readings.text("QUEUE_PREFIX")), cast("Any", client)
    lengths = {label: await _length(redis, names.stream(label)) for label in LABELS}
    foreign = [names.stream(label) for label, length in lengths.items() if length is None]
    if foreign:
        return [wrong("queues", f"These keys are no streams: {', '.join(foreign)}.", FOREIGN)]
    full = [label for label, length in lengths.items() if length]
    unread = [label for label in full if not await _has_group(redis, names.stream(label))]
    text = f"On the streams: {', '.join(f'{n} {label}' for label, n in lengths.items())}."
    if unread:
        remedy = "Start a worker: `arvel queue:work`."
        return [warning("queues", f"{text} No worker has ever read {', '.join(unread)}.", remedy)]
    return [ok("queues", text)]


async def _length(redis: Any, stream: str) -> int | None:
    """How many messages a stream holds; ``None``: the key is something else."""
    try:
        return await redis.xlen(stream)
    except ResponseError as error:
        if is_wrong_type(error):
            return None
        raise


async def _has_group(redis: Any, stream: str) -> bool:
    groups = await redis.xinfo_groups(stream)
    return any(group["name"] in (GROUP, GROUP.encode()) for group in groups)


async def quarantine(client: Redis, _check: str, subject: Subject) -> list[Finding]:
    key = Names(subject.readings.text("QUEUE_PREFIX")).quarantine
    length = await cast("Any", client).xlen(key)
    if not length:
        return [ok("quarantine", "No message was put aside.")]
    return [
        warning(
            "quarantine",
            f"{length} messages were put aside, since they must not run; they never will.",
            f"Look who writes to the broker: XRANGE {key} - + says why each one is there.",
        )
    ]
