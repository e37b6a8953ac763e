"""Two worker hosts, a web host, PostgreSQL and Valkey, and a network that loses one of the workers.

Each has a network namespace of its own; providers and clients are outside, on a host as well.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from aiosmtpd.smtp import SMTP

from app.models import statements
from app.models.statements import Statements
from tests.fakes.access import bearer, put_token
from tests.fakes.hosts.lines import line
from tests.fakes.hosts.network import PREFIX, Host, Impossible, hosts, run
from tests.fakes.processes import ARVEL, running
from tests.fakes.smtp_server import NONE, MailServer
from tests.fakes.twilio import FakeTwilio
from tests.fakes.waiting import until

EACH = 60
"""Emails, and as many SMS."""

MORE = 5
"""Of each, which the lost host sends alone when it is back."""

PLACES = 5
LATENCY = 0.3
HOOKS = "http://hooks.example.com"
NAMES = ("database", "valkey", "web", "worker-1", "worker-2", "outside")
RESTING = {"succeeded", "errored", "unconfirmed", "cancelled"}


@dataclass
class Site:
    """All hosts, what is outside, and the settings that every process is started with."""

    hosts: Mapping[str, Host]
    mail: MailServer
    twilio: FakeTwilio
    environment: dict[str, str]
    folder: Path

    def start(self, host: str, *command: str) -> contextlib.AbstractAsyncContextManager[Process]:
        words = self.hosts[host].command(*command)
        environment = {**self.environment, "SMTP_HELO": f"{host}.example.com"}
        return running(*words, environment=environment, log=self.folder / host)

    def worker(self, host: str) -> contextlib.AbstractAsyncContextManager[Process]:
        return self.start(host, str(ARVEL), "dispatch:work", f"--id={host}")

    def taken(self) -> Counter[str]:
        by_mail = Counter(mail.receivers[0] for mail in self.mail.mails)
        return by_mail + self.twilio.by_receiver


@pytest.fixture
def network() -> Iterator[Mapping[str, Host]]:
    with contextlib.ExitStack() as stack:
        try:
            yield stack.enter_context(hosts(*NAMES))
        except Impossible as reason:
            pytest.skip(str(reason))


def test_ordinary_user_is_told_why_there_are_no_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Impossible, match="root"), hosts("one"):
        pass


def test_hosts_of_a_run_that_was_killed_are_removed_by_the_next(
    network: Mapping[str, Host],
) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = network["web"].file.with_name(f"{PREFIX}-{ended.pid}-0000-web")
    run("netns", "add", left.name)
    with hosts("one") as others:
        assert not left.exists()
        assert others["one"].file.exists()
    assert not others["one"].file.exists()
    assert network["web"].file.exists()


async def slowly(_: SMTP) -> str:
    await asyncio.sleep(LATENCY)
    return "250 2.0.0 queued"


@pytest.fixture
async def site(
    network: Mapping[str, Host], database: Statements, redis_url: str, tmp_path: Path
) -> AsyncIterator[Site]:
    outside = network["outside"].address
    async with contextlib.AsyncExitStack() as stack:
        mail = await stack.enter_async_context(MailServer(tls=NONE, answers={"DATA": slowly}))
        twilio = await stack.enter_async_context(FakeTwilio())
        twilio.latency, twilio.callbacks = LATENCY, ["sent", "delivered"]

        async def serve(host: str, port: int, url: str) -> None:
            there = urlsplit(url)
            to = (there.hostname or "", there.port or 0)
            await stack.enter_async_context(line(network[host], port, to=to))

        await serve("database", 5432, os.environ["DATABASE_URL"])
        await serve("valkey", 6379, redis_url)
        await serve("outside", 2525, f"smtp://127.0.0.1:{mail.port}")
        await serve("outside", 8080, twilio.base_url)
        environment = {
            "DATABASE_URL": moved(os.environ["DATABASE_URL"], network["database"], 5432),
            **dict.fromkeys(
                ("REDIS_URL", "QUEUE_URL", "CACHE_URL"), moved(redis_url, network["valkey"], 6379)
            ),
            "STORAGE_PATH": str(tmp_path / "storage"),
            "DISPATCH_ALLOW_REAL": "*",
            "DISPATCH_CONNECT_TIMEOUT": "0.5",
            "DISPATCH_SEND_TIMEOUT": "2",
            "DISPATCH_LEASE": "5",
            "DISPATCH_JOB_TIMEOUT": "6",
            "DISPATCH_LOCK_EXPIRY": "7",
            "DISPATCH_SWEEP_EVERY": "0.5",
            "DISPATCH_REDISPATCH_AFTER": "2",
            "QUEUE_CONCURRENCY": str(PLACES),
            "PUBLIC_URL": HOOKS,
            "EMAIL_CHANNEL": "smtp",
            "SMTP_HOST": outside,
            "SMTP_PORT": "2525",
            "SMTP_TLS": "none",
            "MESSAGE_ID_DOMAIN": "example.com",
            "SMS_CHANNEL": "twilio",
            "TWILIO_ACCOUNT_SID": twilio.account_sid,
            "TWILIO_AUTH_TOKEN": twilio.auth_token,
            "TWILIO_BASE_URL": f"http://{outside}:8080",
            "TWILIO_WEBHOOK_URL": f"{HOOKS}/webhooks/sms/twilio",
            "API_RATE_LIMIT": "1000000",
        }
        yield Site(network, mail, twilio, environment, tmp_path)


def moved(url: str, host: Host, port: int) -> str:
    """The same address on another host."""
    parts = urlsplit(url)
    user = parts.netloc.rpartition("@")[0]
    return parts._replace(netloc=f"{user}@{host.address}:{port}").geturl()


@contextlib.asynccontextmanager
async def web(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    """The web process on its host, and a client outside; reports of Twilio reach it as well."""
    host = site.hosts["web"]
    command = ("-m", "granian", "--interface", "asgi", "--host", host.address, "asgi:asgi_app")
    there = (host.address, 8000)
    async with (
        site.start("web", sys.executable, *command),
        line(None, 0, to=there, via=site.hosts["outside"]) as address,
        httpx.AsyncClient(base_url=f"http://{address}", trust_env=False) as client,
    ):
        site.twilio.deliver_to = f"http://{address}"

        async def answers() -> bool:
            with contextlib.suppress(httpx.HTTPError):
                return (await client.get("/livez")).is_success
            return False

        await until(answers, seconds=30, every=0.1)
        client.headers.update(bearer(await put_token()))
        yield client


async def queue(client: httpx.AsyncClient, numbers: range) -> None:
    for number in numbers:
        email = {
            "sender": {"email": "shop@example.com"},
            "to": [{"email": f"person{number}@example.com"}],
            "subject": "Hi",
            "text": "Hello",
        }
        sms = {
            "sender": {"cell": "+15005550006"},
            "receiver": {"cell": f"+1201555{number:04}"},
            "body": "Hello",
        }
        for path, body in (("/api/emails", email), ("/api/sms", sms)):
            assert (await client.post(path, json=body)).status_code == 202


async def all_rest() -> bool:
    rows = await statements.run("SELECT DISTINCT state FROM queue_items")
    return {row["state"] for row in rows} <= RESTING


async def test_promise_is_kept_while_a_worker_host_is_cut_off_and_when_it_is_back(
    site: Site,
) -> None:
    lost = site.hosts["worker-1"]
    async with web(site) as client, site.worker("worker-1"), site.worker("worker-2") as other:
        composing = asyncio.create_task(queue(client, range(EACH)))
        await until(lambda: both_send(site), seconds=40)
        lost.cut()
        await composing
        await until(all_rest, seconds=60, every=0.1)
        lost.heal()
        other.terminate()
        await other.wait()
        await queue(client, range(EACH, EACH + MORE))
        await until(all_rest, seconds=60, every=0.1)
        await site.twilio.settle()
    await check(site)


async def both_send(site: Site) -> bool:
    helos = {said for said in site.mail.commands if said.startswith("EHLO")}
    return len(helos) == 2 and len(site.mail.mails) > PLACES and len(site.twilio.messages) > PLACES


async def check(site: Site) -> None:
    """Nothing lost, nothing doubled; unknown is no more than the lost host had in hand."""
    taken = site.taken()
    rows = await statements.run(
        "SELECT q.state, q.error_kind, s.receiver_address AS receiver "
        "FROM queue_items q JOIN item_search s ON s.item_id = q.id"
    )
    assert len(rows) == 2 * (EACH + MORE)
    unknown = [row for row in rows if row["error_kind"] == "outcome_unknown"]
    sent = [row["receiver"] for row in rows if row["state"] == "succeeded"]
    assert len(sent) + len(unknown) == len(rows)
    assert [taken[receiver] for receiver in sent] == [1] * len(sent)
    assert all(taken[row["receiver"]] <= 1 for row in unknown)
    assert len(unknown) <= PLACES
    letters = await statements.run("SELECT item_id, payload, exception FROM failed_jobs")
    assert len(letters) == len(unknown), [dict(row) for row in letters]
