"""PostgreSQL and Valkey come back from a crash while messages are on their way."""

import asyncio
from collections import Counter
from pathlib import Path

from aiosmtpd.smtp import SMTP

from app.models import statements
from app.models.statements import Statements
from local import Services
from tests.fakes.items import put_item, raw, state_of
from tests.fakes.processes import arvel, compose, kill
from tests.fakes.smtp_server import NONE, MailServer
from tests.fakes.waiting import until

ALL = 300


def settings_for(mail: MailServer, folder: Path) -> dict[str, str]:
    return {
        "STORAGE_PATH": str(folder / "storage"),
        "DISPATCH_ALLOW_REAL": "*",
        "DISPATCH_SWEEP_EVERY": "1",
        "DISPATCH_REDISPATCH_AFTER": "3",
        "EMAIL_CHANNEL": "smtp",
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(mail.port),
        "SMTP_TLS": "none",
        "MESSAGE_ID_DOMAIN": "example.com",
        "QUEUE_CONCURRENCY": "10",
    }


async def slowly(_: SMTP) -> str:
    await asyncio.sleep(0.1)
    return "250 2.0.0 queued"


async def count(state: str) -> int:
    try:
        rows = await statements.run("SELECT count(*) AS n FROM queue_items WHERE state = $1", state)
    except Exception:
        return -1  # just being started again
    return int(rows[0]["n"])


async def test_three_hundred_messages_outlive_both_servers(
    database: Statements, redis_url: str, services: Services, tmp_path: Path
) -> None:
    """Field reports 7 and 8: a worker and its messages outlive restarts of what they stand on."""
    async with MailServer(tls=NONE, answers={"DATA": slowly}) as mail:
        environment = settings_for(mail, tmp_path)
        await compose(environment, emails=ALL)
        async with arvel("queue:work", environment=environment, log=tmp_path / "log") as worker:

            async def sent(number: int) -> bool:
                return len(mail.mails) >= number

            await until(lambda: sent(60), seconds=30)
            await asyncio.to_thread(services.valkey.kill)
            await asyncio.to_thread(services.valkey.start)
            await until(lambda: sent(150), seconds=60)
            await asyncio.to_thread(services.postgres.kill)
            await asyncio.to_thread(services.postgres.start)

            async def all_succeeded() -> bool:
                return await count("succeeded") == ALL

            await until(all_succeeded, seconds=90, every=0.2)
            assert worker.returncode is None
        assert Counter(Counter(m.receivers[0] for m in mail.mails).values()) == {1: ALL}


async def test_a_planned_message_is_sent_once_at_its_time_whatever_restarts_before(
    database: Statements, redis_url: str, services: Services, tmp_path: Path
) -> None:
    """Field report 7: the time is in the row, not in the broker."""
    async with MailServer(tls=NONE) as mail:
        environment = settings_for(mail, tmp_path)
        item = await put_item(
            "delayed",
            attempts=0,
            channel="smtp",
            due_at=raw("now() + interval '6 s'"),
            retries=1,
        )
        async with arvel("queue:work", environment=environment) as worker:
            await asyncio.to_thread(services.valkey.kill)
            kill(worker)
            await asyncio.to_thread(services.valkey.start)
        assert mail.mails == []
        async with arvel("queue:work", environment=environment):

            async def succeeded() -> bool:
                return await state_of(item.id) == "succeeded"

            await until(succeeded, seconds=40)
        assert len(mail.mails) == 1
