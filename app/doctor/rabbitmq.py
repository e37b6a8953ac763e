"""What waits on RabbitMQ, and whether it can be reached at all."""

from collections.abc import Mapping
from typing import Any

from app.doctor.finding import Finding, ok, warning, wrong
from app.doctor.limits import LIMIT, NoAnswer, look, unanswered
from app.doctor.reasons import reason
from app.doctor.subject import Subject
from app.worker.names import LABELS, Names

CHECK = "rabbitmq"
REFUSED = "refuses our user or password"
NOT_ALLOWED = "has no such virtual host, or doesn't let us in there"
WHY = {
    "AuthenticationError": REFUSED,
    "ProbableAuthenticationError": REFUSED,
    "ConnectionNotAllowed": NOT_ALLOWED,
    "InvalidFrameError": NOT_ALLOWED,
}
"""By what the library calls it: it is loaded only where RabbitMQ is used."""


async def examine(url: str, subject: Subject) -> list[Finding]:
    """Makes no queue; those who need them do."""
    from app.worker.amqp import link

    try:
        connection = await link.connect(url, heartbeat=LIMIT, name="pillarbox doctor")
    except link.ServerTooOld as error:
        return [wrong(CHECK, str(error), "Use 3.10 or newer.")]
    except Exception as error:
        remedy = "Start it, or correct QUEUE_URL. Nothing in it could be looked at."
        return [wrong(CHECK, f"RabbitMQ {_why(error)}.", remedy)]
    version = ".".join(map(str, link.version_of(connection)))
    names = Names(subject.readings.text("QUEUE_PREFIX"))
    try:
        found = await look(CHECK, _queues(connection, names))
    except NoAnswer:
        found = [unanswered(CHECK, "RabbitMQ")]
    finally:
        await link.close(connection)
    return [ok(CHECK, f"RabbitMQ {version} answers."), *found]


async def _queues(connection: Any, names: Names) -> list[Finding]:
    from app.worker.amqp import queues

    lengths = {la: await _length(connection, names.stream(la), queues.WORK) for la in LABELS}
    aside = await _length(connection, names.quarantine, queues.QUARANTINE)
    foreign = [names.stream(label) for label, length in lengths.items() if length is None]
    if foreign:
        text = f"These queues are of another kind: {', '.join(foreign)}."
        return [wrong("queues", text, FOREIGN)]
    text = f"On the queues: {', '.join(f'{n} {label}' for label, n in lengths.items())}."
    return [ok("queues", text), _judge_quarantine(names, aside or 0)]


FOREIGN = (
    "Nothing is sent through these queues. Find out who declared them and delete them; set"
    " QUEUE_PREFIX if another application uses the same virtual host."
)


def _judge_quarantine(names: Names, length: int) -> Finding:
    if not length:
        return ok("quarantine", "No message was put aside.")
    return warning(
        "quarantine",
        f"{length} messages were put aside, since they must not run; they never will.",
        f"Look who writes to the broker: the headers of the messages on {names.quarantine} say why"
        " each one is there.",
    )


async def _length(connection: Any, queue: str, arguments: Mapping[str, Any]) -> int | None:
    """How many messages wait on a queue, none where there is no queue; ``None``: it is another."""
    from app.worker.amqp import link, queues

    # The server closes a channel on which something was not there, or not as it was said.
    channel = await link.open_channel(connection, confirms=False)
    try:
        await channel.queue_declare(queue, passive=True, timeout=LIMIT)
    except Exception as error:
        if type(error).__name__ == "ChannelNotFoundEntity":
            return 0
        raise
    try:
        return await queues.declare(channel, queue, arguments)
    except Exception as error:
        if type(error).__name__ == "ChannelPreconditionFailed":
            return None
        raise
    finally:
        if not channel.is_closed:
            await link.close(channel)


def _why(error: BaseException) -> str:
    link: BaseException | None = error
    while link is not None:
        if type(link).__name__ in WHY:
            return WHY[type(link).__name__]
        link = link.__cause__
    return reason(error)
