"""Email by Postmark's API.

Source: https://postmarkapp.com/developer/api/email-api
"""

from functools import partial
from typing import ClassVar

import httpx

from app.transports.contract import (
    AttemptRef,
    Check,
    Facts,
    Fails,
    Go,
    LookUp,
    OutboundEmail,
    Outcome,
)
from app.transports.email.hand_over import Line, hand_over
from app.transports.email.postmark.answers import read_answer
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.facts import FACTS
from app.transports.email.postmark.message import write_message
from app.transports.email.postmark.search import Now, PostmarkSearch, now
from app.transports.email.probes import Probe, read_probe
from app.transports.http import NoAnswer, call, http_client

PROVIDER = "Postmark"

SERVER = Probe("/server")


class PostmarkTransport:
    """One Postmark server for one event loop; ``close`` gives back its connections."""

    FACTS: ClassVar[Facts] = FACTS

    def __init__(
        self, config: PostmarkConfig, client: httpx.AsyncClient | None = None, clock: Now = now
    ) -> None:
        self._config = config
        self._client = client or http_client(
            connections=config.connections,
            connect_timeout=config.connect_timeout,
            total_timeout=config.total_timeout,
        )
        self._headers = {
            "Accept": "application/json",
            "X-Postmark-Server-Token": config.server_token,
        }
        self._line = Line(self._client, PROVIDER, config.total_timeout)
        self._search = PostmarkSearch(self._line, config.api, self._headers, clock)

    @property
    def facts(self) -> Facts:
        return FACTS

    async def send(self, email: OutboundEmail, go: Go) -> Outcome:
        secrets = (self._config.server_token,)
        read = partial(read_answer, email=email, secrets=secrets)
        return await hand_over(self._line, email, go, build=self._build, read=read)

    async def find(self, attempt: AttemptRef) -> LookUp:
        return await self._search.find(attempt)

    async def check(self) -> Check:
        """Ask for the server that the token belongs to."""
        line = self._line
        request = self._client.build_request(
            "GET", self._config.api + SERVER.path, headers=self._headers
        )
        try:
            answer = await call(line.client, request, provider=line.provider, total=line.total)
        except NoAnswer as failure:
            return Fails(failure.outcome.text)
        return read_probe(SERVER, answer, PROVIDER)

    async def close(self) -> None:
        await self._client.aclose()

    def _build(self, email: OutboundEmail) -> httpx.Request:
        return self._client.build_request(
            "POST",
            f"{self._config.api}/email",
            content=write_message(email, self._config),
            headers={**self._headers, "Content-Type": "application/json"},
        )
