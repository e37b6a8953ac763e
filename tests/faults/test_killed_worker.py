"""A worker killed amid its work, and started again."""

import asyncio
from collections import Counter
from pathlib import Path

from aiosmtpd.smtp import SMTP

from app.models import statements
from app.models.statements import Statements
from tests.fakes.processes import arvel, compose, kill
from tests.fakes.smtp_server import NONE, MailServer
from tests.fakes.twilio import FakeTwilio
from tests.fakes.waiting import until

LATENCY = 0.1
EACH = 150
RESTING = {"succeeded", "errored", "unconfirmed", "cancelled"}


async def slowly(_: SMTP) -> str:
    await asyncio.sleep(LATENCY)
    return "250 2.0.0 queued"


async def states() -> Counter[str]:
    rows = await statements.run("SELECT state, count(*) AS n FROM queue_items GROUP BY state")
    return Counter({row["state"]: row["n"] for row in rows})


async def all_rest() -> bool:
    return set(await states()) <= RESTING


async def test_every_item_ends_in_a_true_state_within_ninety_seconds(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    """Field reports 4, 9 and 20: nothing lost, nothing sent twice, what is unknown says so."""
    mail = MailServer(tls=NONE, answers={"DATA": slowly})
    async with mail, FakeTwilio() as twilio:
        twilio.latency = LATENCY
        environment = {
            "STORAGE_PATH": str(tmp_path / "storage"),
            "DISPATCH_ALLOW_REAL": "*",
            "EMAIL_CHANNEL": "smtp",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(mail.port),
            "SMTP_TLS": "none",
            "MESSAGE_ID_DOMAIN": "example.com",
            "SMS_CHANNEL": "twilio",
            "TWILIO_ACCOUNT_SID": twilio.account_sid,
            "TWILIO_AUTH_TOKEN": twilio.auth_token,
            "TWILIO_BASE_URL": twilio.base_url,
            "DISPATCH_POLL_EVERY": "1",
            # A sweep that finds nothing comes half as often: the ninety seconds are for a machine
            # that does nothing else.
            "DISPATCH_SWEEP_EVERY": "7",
            "QUEUE_CONCURRENCY": "20",
        }
        await compose(environment, emails=EACH, sms=EACH)
        async with arvel("queue:work", environment=environment, log=tmp_path / "first") as worker:
            await until(lambda: _some_sent(mail, twilio), seconds=30)
            kill(worker)
            await worker.wait()

        async def rest() -> bool:
            for message in twilio.messages.values():
                message.status = "delivered"
            return await all_rest()

        async with arvel("queue:work", environment=environment, log=tmp_path / "second"):
            await until(rest, seconds=90, every=0.25)

        await _check(mail, twilio)


async def _some_sent(mail: MailServer, twilio: FakeTwilio) -> bool:
    return len(mail.mails) > 30 and len(twilio.messages) > 30


async def _check(mail: MailServer, twilio: FakeTwilio) -> None:
    taken = Counter(m.receivers[0] for m in mail.mails) + twilio.by_receiver
    assert not {receiver: n for receiver, n in taken.items() if n > 1}
    rows = await statements.run(
        "SELECT q.state, q.error_kind, s.receiver_address AS receiver "
        "FROM queue_items q JOIN item_search s ON s.item_id = q.id"
    )
    assert len(rows) == 2 * EACH
    unknown = [row for row in rows if row["error_kind"] == "outcome_unknown"]
    for row in rows:
        if row["error_kind"] == "outcome_unknown":
            continue
        assert row["state"] == "succeeded", (row["receiver"], row["state"], row["error_kind"])
        assert taken[row["receiver"]] == 1, row["receiver"]
    assert 0 < len(unknown) <= 20
    letters = await statements.run("SELECT count(*) AS n FROM failed_jobs")
    assert letters[0]["n"] == len(unknown)
