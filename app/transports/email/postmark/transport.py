"""Email by Postmark's API.

Source: https://postmarkapp.com/developer/api/email-api
"""

from functools import partial

import httpx

from app.transports.contract import AttemptRef, Facts, Go, LookUp, OutboundEmail, Outcome
from app.transports.email.hand_over import Line, hand_over
from app.transports.email.postmark.answers import read_answer
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.facts import FACTS
from app.transports.email.postmark.message import write_message
from app.transports.email.postmark.search import Now, PostmarkSearch, now
from app.transports.http import http_client

PROVIDER = "Postmark"


class PostmarkTransport:
    """One Postmark server for one event loop; ``close`` gives back its connections."""

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

    async def close(self) -> None:
        await self._client.aclose()

    def _build(self, email: OutboundEmail) -> httpx.Request:
        return self._client.build_request(
            "POST",
            f"{self._config.api}/email",
            content=write_message(email, self._config),
            headers={**self._headers, "Content-Type": "application/json"},
        )
