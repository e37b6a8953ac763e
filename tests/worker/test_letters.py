"""Dead letters come back by the same rules as everything else, and say little."""

import asyncio
import json
import sys
from typing import Any
from uuid import uuid4

import pytest
from arvel.kernel import app
from arvel.kernel.logging import LogManager
from arvel.queue import FailedJob
from arvel.queue.worker import run_job_with_retries
from redis.asyncio import Redis

from app.models.queries.operate import Decision
from app.worker.guard import KnownJob
from app.worker.letters import Letter, LetterRefused
from app.worker.queue import Queue
from app.worker.refusal import Refused
from local import Services
from tests.worker.probes.stored import Failing, Stored

STREAM = "pillarbox:queue:bulk"


async def fail(queue: Queue, text: str = "no") -> None:
    """One more dead letter of ``Failing``, written by arvel."""
    job = Failing("a", text)
    job.__arvel_attempts__ = 1
    await run_job_with_retries(job, release=queue.dispatch_after)


async def write(payload: dict[str, Any]) -> str:
    """One more dead letter, written by anybody who can write into the database."""
    letter = str(uuid4())
    await (
        app()
        .make("db")
        .statement(
            "INSERT INTO failed_jobs VALUES (:id, 'bulk', :payload, 'no', now())",
            {"id": letter, "payload": json.dumps(payload)},
        )
    )
    return letter


async def letters() -> list[Any]:
    return await app().make("db").select("SELECT * FROM failed_jobs")


async def test_letter_comes_back_with_all_its_tries(queue: Queue, redis: Redis) -> None:
    await fail(queue)
    ((letter),) = await letters()
    await app().make("db").statement("UPDATE failed_jobs SET queue = 'bulk'")
    assert [revived.id for revived in await queue.retry_failed(str(letter["id"]))] == [letter["id"]]
    ((_, fields),) = await redis.xrange(STREAM)
    written = json.loads(json.loads(fields[b"data"])["args"][0])
    assert written["state"]["__arvel_attempts__"] == 0
    assert await letters() == []


@pytest.mark.parametrize("wrong", ["nope", "019b0000-0000-7000-8000-000000000000"])
async def test_wrong_id_finds_nothing(queue: Queue, wrong: str) -> None:
    assert await queue.retry_failed(wrong) == []


async def test_letter_stays_while_the_broker_is_away(queue: Queue, services: Services) -> None:
    await fail(queue)
    services.valkey.kill()
    with pytest.raises(LetterRefused, match="stays"):
        await queue.retry_failed()
    assert len(await letters()) == 1


SHELL = {"job": "app.probes:Stored", "state": {"key": {"__model__": "os:abort", "__id__": 1}}}


async def test_letter_that_must_not_run_is_refused_and_the_others_come_back(
    queue: Queue, redis: Redis
) -> None:
    bad = await write(SHELL)
    with pytest.raises(LetterRefused, match="doesn't take these arguments"):
        await queue.retry_failed(bad)
    with pytest.raises(LetterRefused, match="None of 1"):
        await queue.retry_failed()
    await fail(queue)
    assert len(await queue.retry_failed()) == 1
    assert [str(letter["id"]) for letter in await letters()] == [bad]


async def test_model_of_a_letter_hands_nothing_to_the_decoder(queue: Queue) -> None:
    await write(SHELL)
    (letter,) = await queue.failed_jobs()
    with pytest.raises(Refused):
        await letter.retry()
    assert len(await letters()) == 1


async def test_model_of_a_letter_comes_back_by_our_rules(queue: Queue, redis: Redis) -> None:
    await fail(queue)
    (letter,) = await FailedJob.get()
    await letter.retry()
    assert await redis.xlen("pillarbox:queue:default") == 1
    assert await letters() == []


async def test_class_may_have_rules_of_its_own(queue: Queue, redis: Redis) -> None:
    seen: list[object] = []

    async def revive(letter: Letter, job: KnownJob, _decision: Decision) -> None:
        seen.append((letter.label, job.arguments["key"]))
        raise LetterRefused("Confirm it first.")

    async def instead(job: Failing) -> None:
        seen.append(job.key)

    queue.letters.rules[Failing] = revive
    queue.instance_rules[Failing] = instead
    await fail(queue)
    with pytest.raises(LetterRefused, match="Confirm it first"):
        await queue.retry_failed()
    await queue.push_instance(Failing("b"))
    assert seen == [("default", "a"), "b"]
    assert await redis.keys("pillarbox:q*") == []


async def test_letter_holds_neither_context_nor_foreign_text(queue: Queue) -> None:
    with LogManager.bound_context(request_id="r1", address="canary"):
        await fail(queue, "550 canary refused")
    (letter,) = await letters()
    assert "canary" not in letter["exception"] + json.dumps(
        json.loads(letter["payload"])["_context"]
    )
    assert letter["exception"] == "RuntimeError"
    assert json.loads(letter["payload"])["_log_context"] == {"request_id": "r1"}


async def arvel(*arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arvel.console", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    return process.returncode or 0, printed.decode()


async def test_command_line_says_plainly_what_it_refuses(queue: Queue) -> None:
    code, printed = await arvel("queue:retry", "nope")
    assert code == 1
    assert "no failed job matches 'nope'" in printed
    letter = await write({"job": "app.gone:Gone", "state": {}})
    code, printed = await arvel("queue:retry", letter)
    assert code == 1
    assert "is not retried" in printed
    assert "Traceback" not in printed


async def test_stored_job_is_known_to_this_test(queue: Queue) -> None:
    assert queue.known.job("app.probes:Stored") is Stored
