"""Whatever a mail server does, what is said of each message is true, and nothing is left open."""

import asyncio
import random
from collections import Counter

import pytest

from app.transports.contract import Accepted, NotSent, Outcome, Rejected, TryLater, Unknown
from app.transports.email.smtp import SmtpTransport
from tests.fakes.smtp_server import NONE, Answer, MailServer, drop, hang, reset
from tests.providers.emails import an_email
from tests.providers.smtp_provider import plain_config
from tests.providers.waiting import eventually

SENDS = 200
POOL = 5
ONE_IN = 5

USUAL: dict[str, Answer] = {
    "EHLO": "",
    "MAIL": "250 OK",
    "RCPT": "250 OK",
    "RSET": "250 OK",
    "DATA": "250 2.0.0 OK",
}
FAULTS: dict[str, list[Answer]] = {
    "EHLO": ["421 4.3.2 Busy", "554 5.3.2 No", drop, reset],
    "MAIL": ["421 4.3.2 Busy", "451 4.3.0 Later", "550 5.7.1 No", drop, reset, hang],
    "RCPT": ["421 4.3.2 Busy", "450 4.2.1 Later", "550 5.1.1 No", drop, reset, hang],
    "RSET": ["421 4.3.2 Busy", "500 What?", drop],
    "DATA": ["421 4.3.2 Busy", "451 4.3.0 Later", "554 5.7.1 No", drop, reset, hang],
}


def throw_dice(seed: int) -> dict[str, list[Answer]]:
    dice = random.Random(seed)
    return {
        step: [
            USUAL[step] if dice.randrange(ONE_IN) else dice.choice(faults) for _ in range(2 * SENDS)
        ]
        for step, faults in FAULTS.items()
    }


async def send_all(transport: SmtpTransport) -> list[Outcome]:
    lane = asyncio.Semaphore(4 * POOL)

    async def one(number: int) -> Outcome:
        async with lane:
            return await transport.send(an_email(subject=f"{number}"), lambda: None)

    return await asyncio.gather(*(one(number) for number in range(SENDS)))


def is_true(outcome: Outcome, copies: int) -> bool:
    match outcome:
        case Accepted():
            return copies == 1
        case NotSent():
            return copies == 0
        case Rejected() | TryLater() | Unknown():
            return copies <= 1


@pytest.mark.parametrize("seed", [59, 60])
async def test_200_sends_with_random_faults_are_told_truly_and_leave_no_connection(
    seed: int,
) -> None:
    """Field report 59."""
    async with MailServer(tls=NONE, queues=throw_dice(seed)) as server:
        transport = SmtpTransport(plain_config(server.port, pool_size=POOL, total_timeout=0.75))
        outcomes = await send_all(transport)
        await eventually(lambda: len(server.connections) <= POOL)
        await transport.close()
        await eventually(lambda: not server.connections)

    arrived = Counter(str(mail.message["Subject"]) for mail in server.mails)
    lies = [n for n, outcome in enumerate(outcomes) if not is_true(outcome, arrived[f"{n}"])]
    assert lies == []
    assert {type(outcome) for outcome in outcomes} == {
        Accepted,
        Rejected,
        TryLater,
        NotSent,
        Unknown,
    }
