"""Several workers on one queue."""

import contextlib
from collections import Counter
from pathlib import Path

from app.models import statements
from app.models.statements import Statements
from tests.fakes.processes import arvel, compose
from tests.fakes.smtp_server import NONE, MailServer
from tests.fakes.waiting import until


async def test_four_workers_send_a_thousand_messages_once_each(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    """Field report 24."""
    async with MailServer(tls=NONE) as mail, contextlib.AsyncExitStack() as workers:
        environment = {
            "STORAGE_PATH": str(tmp_path / "storage"),
            "DISPATCH_ALLOW_REAL": "*",
            "EMAIL_CHANNEL": "smtp",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(mail.port),
            "SMTP_TLS": "none",
            "MESSAGE_ID_DOMAIN": "example.com",
        }
        await compose(environment, emails=1000)
        for _ in range(4):
            await workers.enter_async_context(arvel("queue:work", environment=environment))

        async def all_succeeded() -> bool:
            rows = await statements.run(
                "SELECT count(*) AS n FROM queue_items WHERE state = 'succeeded'"
            )
            return rows[0]["n"] == 1000

        await until(all_succeeded, seconds=90, every=0.2)
        assert Counter(Counter(m.receivers[0] for m in mail.mails).values()) == {1: 1000}
