"""A campaign from its start to its verdict."""

import asyncio
import contextlib
import os
import sys
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

import asyncpg

from local import Seed, Services, services
from local.demo.play import application
from local.demo.surroundings import without_settings
from local.demo.web import answers
from local.faults import plan, rows, verdict
from local.faults.api import Api
from local.faults.blows import Blows
from local.faults.chance import chance_of
from local.faults.clients import Clients
from local.faults.fleet import Fleet
from local.faults.operators import Operators
from local.faults.plan import Plan
from local.faults.providers import Providers, providers
from local.faults.surroundings import SILENCE_S, environment
from local.faults.verdict import Evidence, Verdict
from local.folders import passing

USER, TOKEN = "campaign", "operators"
SETTLE_S = 160.0 + SILENCE_S
"""Seconds after the last blow within which everything must have come to rest."""
START_S = 60.0


@dataclass(frozen=True, slots=True)
class Campaign:
    seed: int
    seconds: float
    rate: float


def run(campaign: Campaign) -> Verdict:
    """Everything on this machine, and nothing of it left afterwards."""
    ours = mock.patch.dict(os.environ, without_settings(os.environ), clear=True)
    with ours, passing() as folder, services(seed=Seed("", lambda _: None)) as servers:
        return asyncio.run(_run(campaign, folder, servers))


async def _run(campaign: Campaign, folder: Path, servers: Services) -> Verdict:
    planned = plan.draw(campaign.seed, campaign.seconds, campaign.rate)
    say(f"Seed {campaign.seed}: {planned.items} items, {len(planned.blows)} blows.")
    fleet = Fleet(folder)
    async with providers(campaign.seed, fleet.urls) as fakes:
        shared = environment(servers, str(folder / "storage"), fakes)
        token = await _prepare(shared)
        fleet.build(shared, fakes, campaign.seed)
        async with fleet.running():
            await _until(_all_answer(fleet), START_S)
            evidence = await _play(campaign, planned, servers, fleet, fakes, token)
    reached = verdict.reach(evidence)
    return replace(reached, said={item: fleet.said_about(item) for item in reached.concerned()})


async def _prepare(shared: dict[str, str]) -> str:
    """Create the tables, and a token that may do everything."""
    from app.access.permissions import PERMISSIONS
    from app.access.tokens import Wish, issue
    from app.models.queries import users

    held, user = tuple(PERMISSIONS), uuid.uuid7()
    with mock.patch.dict(os.environ, shared | {"LOG_LEVEL": "warning"}):
        async with application() as app:
            await app.make("migrator").run(app.make("migrations"))  # type: ignore[attr-defined]
            await users.add(user, USER, "", None, (), held)
            end = datetime.now(UTC) + timedelta(days=1)
            return (await issue(user, frozenset(held), Wish(TOKEN, held, end))).text


async def _play(
    campaign: Campaign,
    planned: Plan,
    servers: Services,
    fleet: Fleet,
    fakes: Providers,
    token: str,
) -> Evidence:
    begin = time.time()
    api = Api(fleet.urls, token, chance_of(campaign.seed, "api"))
    clients, operators = Clients(api, campaign.seed, begin), Operators(api, begin)
    blows = Blows(servers, fleet, fakes, begin)
    fakes.lie_in_wait(blows.spring)
    sending = asyncio.create_task(clients.send(planned.messages))
    await asyncio.gather(blows.deal(planned.blows), operators.act(planned.acts))
    say("The last blow is dealt; waiting until everything rests.")
    fakes.calm()
    await blows.over()
    url = servers.database_url.replace("+asyncpg", "")
    await _settle(sending, fakes, url)
    items, operations = await rows.read(url), await rows.count_operations(url)
    await api.close()
    return Evidence(items, clients.orders, operators.asked, fakes.ledger, blows.hits, operations)


async def _settle(sending: asyncio.Task[None], fakes: Providers, url: str) -> None:
    async def rests() -> bool:
        if not sending.done() or fakes.ledger.unheard():
            return False
        return await rows.count_restless(url) == 0

    await _until(rests, SETTLE_S)
    sending.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await sending


async def _until(holds: Callable[[], Awaitable[bool]], seconds: float) -> None:
    """Wait until something holds, or until there has been time enough for it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            if await holds():
                return
        await asyncio.sleep(0.5)


def _all_answer(fleet: Fleet) -> Callable[[], Awaitable[bool]]:
    async def all_answer() -> bool:
        return all([await asyncio.to_thread(answers, web.port) for web in fleet.webs])

    return all_answer


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
