"""The servers, durable as in production, and the settings that what is measured runs with."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from bench.callbacks import POSTMARK_PASSWORD, TWILIO_ACCOUNT, TWILIO_PATH, TWILIO_TOKEN
from bench.processes import listens, module, running
from local import Services, services
from local.demo.play import application, say
from local.demo.surroundings import environment, without_settings
from local.folders import passing
from local.ports import HOST, free_port
from local.seed import Seed

LATENCY_S = 0.1
"""Of the provider, as that of real ones."""
NOTHING = Seed("", lambda _: None)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where everything is. ``provider``: the address of the one that accepts everything."""

    services: Services
    folder: Path
    provider: str
    port: int

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"


@contextlib.contextmanager
def bench(latency: float = LATENCY_S, *, reports: bool = False, **settings: str) -> Iterator[Bench]:
    """A migrated database, an empty Valkey and a provider; thrown away at the end.

    ``reports``: the provider calls our webhooks, three times for each message.
    """
    provider, port = free_port(), free_port()
    say("Starting PostgreSQL, Valkey and a provider …")
    with passing() as folder, services(seed=NOTHING, durable=True) as local:
        values = environment(local, port, str(folder / "storage"))
        values |= at_provider(f"http://{HOST}:{provider}", f"http://{HOST}:{port}") | settings
        kept = without_settings(os.environ)
        with mock.patch.dict(os.environ, kept | values, clear=True):
            asyncio.run(_migrate())
            ours = [f"http://{HOST}:{port}"] if reports else []
            command = module("bench.provider", str(provider), str(latency), *ours)
            with running(command, folder / "provider", lambda _: listens(provider)):
                yield Bench(local, folder, f"http://{HOST}:{provider}", port)
            say("Stopping …")


def at_provider(provider: str, ours: str) -> dict[str, str]:
    """Both kinds of messages go through real transports to a provider of our own."""
    return {
        "LOG_LEVEL": "info",
        "DISPATCH_ALLOW_REAL": "*",
        "API_RATE_LIMIT": "1000000",
        "EMAIL_CHANNEL": "postmark",
        "POSTMARK_SERVER_TOKEN": "POSTMARK_API_TEST",
        "POSTMARK_WEBHOOK_PASSWORD": POSTMARK_PASSWORD,
        "POSTMARK_BASE_URL": provider,
        "SMS_CHANNEL": "twilio",
        "TWILIO_ACCOUNT_SID": TWILIO_ACCOUNT,
        "TWILIO_AUTH_TOKEN": TWILIO_TOKEN,
        "TWILIO_FROM_NUMBER": "+15005550006",
        "TWILIO_BASE_URL": provider,
        "TWILIO_WEBHOOK_URL": ours + TWILIO_PATH,
        "SMS_TIMEOUT_HOURS": "2",
        "EMAIL_TIMEOUT_HOURS": "96",
        "DISPATCH_TIMEOUT_EVERY": "30",
        "DISPATCH_SWEEP_EVERY": "15",
        # What is composed for a later round waits longer than a message ever should.
        "DISPATCH_REDISPATCH_AFTER": "3600",
    }


async def _migrate() -> None:
    async with application() as app:
        await app.make("migrator").run(app.make("migrations"))  # type: ignore[attr-defined]
