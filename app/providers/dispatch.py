"""Wires sending: channels, the publish port of items, and the clocks of the jobs."""

import hashlib
import hmac
from functools import partial
from typing import override

from arvel.kernel import ServiceProvider
from arvel.support import cache

from app.configuration import Readings
from app.jobs.send_message import SendMessage
from app.providers import letters, publishing
from app.providers.channels import build_channels
from app.providers.configuration import given_to
from app.settings import AppSettings, ClockSettings, DispatchSettings, SandboxSettings
from app.transports import channels, memory
from app.transports.sandbox.reports import Reporter
from app.worker.queue import Queue


class DispatchProvider(ServiceProvider):
    @override
    def boot(self) -> None:
        self._set_clocks()
        self._wire_channels()
        self._wire_publishing()

    def _set_clocks(self) -> None:
        clocks = ClockSettings()
        SendMessage.timeout = int(clocks.job_timeout)
        SendMessage.lock_expiry = int(clocks.lock_expiry)

    def _wire_channels(self) -> None:
        secret = sandbox_secret()
        reporter = None
        if not AppSettings().production:
            reporter = Reporter(DispatchSettings().public_urls[0], secret)
            self.app.instance("sandbox.reporter", reporter)
        built = build_channels(Readings(given_to(self.app)), reporter, secret)
        channels.use(built)
        memory.use(keep)
        self.app.terminating(built.close)

    def _wire_publishing(self) -> None:
        queue: Queue = self.app.make("queue")
        publishing.wire(queue)
        letters.wire(queue)
        self.app.instance("queue.oldest", partial(publishing.oldest, queue))


async def keep(name: str, text: str, seconds: int) -> str:
    """In the cache, so that every process that takes reports finds it there."""
    shared = cache()
    if await shared.add(f"webhooks:{name}", text, ttl=seconds):
        return text
    return str(await shared.get(f"webhooks:{name}", text))


def sandbox_secret() -> str:
    """The configured secret, else one that every process derives from the application's key."""
    configured = SandboxSettings().webhook_secret
    if configured:
        return configured
    return hmac.new(AppSettings().key.encode(), b"sandbox webhook", hashlib.sha256).hexdigest()
