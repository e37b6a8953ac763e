"""Jobs that failed for good wait in a table, to be looked at, revived or thrown away."""

from collections.abc import Awaitable, Callable

import pytest
from arvel.console import kernel
from arvel.console import work as commands
from arvel.queue import FailedJob, Job
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.documented.foreign import Retried, Tried
from tests.worker.documented.jobs import Failing, Final
from tests.worker.documented.seen import letters, queued, said, work, work_until

type Command = Callable[..., Awaitable[str]]


@pytest.fixture
def arvel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command of arvel's in this application; what it printed."""
    handlers: list[kernel.CommandHandler] = []
    monkeypatch.setattr(kernel, "run_app_command", handlers.append)

    async def run(command: Callable[..., None], **arguments: str) -> str:
        command(**arguments)
        capsys.readouterr()
        await kernel.run_app_command_async(handlers.pop())
        return capsys.readouterr().out

    return run


async def fail(queue: Queue, *keys: str) -> None:
    for key in keys:
        await Final.dispatch(key, queue="bulk")
    await work(queue)


async def test_letter_says_what_failed_where_and_why(queue: Queue) -> None:
    await fail(queue, "a")
    (letter,) = await FailedJob.order_by("failed_at", "desc").get()
    assert (letter.queue, letter.exception) == ("bulk", "Error: tried")
    assert '"key":"a"' in letter.payload
    assert letter.failed_at is not None
    assert await said("a:failed") == ["Error: tried"]


async def test_revived_job_has_all_its_tries_again(queue: Queue) -> None:
    await Failing.dispatch("a")
    await work_until(queue, "a:failed")
    (letter,) = await FailedJob.get()
    await letter.retry()
    assert await letters() == []
    await work_until(queue, "a:failed", 2)
    assert len(await said("a")) == 6


async def test_letter_may_be_thrown_away(queue: Queue) -> None:
    await fail(queue, "a")
    (letter,) = await FailedJob.get()
    await letter.delete()
    assert await letters() == []
    assert await queued() == {}


async def test_command_line_lists_and_revives_one_or_all(queue: Queue, arvel: Command) -> None:
    await fail(queue, "a", "b", "c")
    listed = await arvel(commands.queue_failed)
    ids = [str(letter["id"]) for letter in await letters()]
    assert all(f"{one}  bulk  " in listed for one in ids)
    assert listed.count("Error: tried") == 3
    await arvel(commands.queue_retry, id=ids[0])
    assert [str(letter["id"]) for letter in await letters()] == ids[1:]
    await arvel(commands.queue_retry, id="all")
    assert await letters() == []
    assert await queued() == {"bulk": 3}
    assert "no failed jobs" in await arvel(commands.queue_failed)


@pytest.mark.parametrize("job_cls", [Retried, Tried])
async def test_job_that_the_database_can_t_keep_is_put_aside_and_not_run_again_and_again(
    queue: Queue, redis: Redis, job_cls: type[Job]
) -> None:
    queue.allow(job_cls)
    await job_cls.dispatch("a")
    await work(queue)
    ((_, fields),) = await redis.xrange("pillarbox:quarantine")
    assert fields[b"reason"] == b"unknown_job"
    assert await said("a") == ["tried"]
    assert await queued() == {}
