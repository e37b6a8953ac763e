"""Email by one HTTP request to a provider's API: what a transport is besides its tables."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import httpx

from app.transports.contract import (
    AttemptRef,
    CannotTell,
    Check,
    Facts,
    Fails,
    Go,
    LookUp,
    OutboundEmail,
    Outcome,
)
from app.transports.email.api_config import ApiConfig
from app.transports.email.hand_over import Line, hand_over
from app.transports.email.probes import PROBES, probe, read_probe
from app.transports.http import Answer, NoAnswer, call, http_client


class ApiTransport[Config: ApiConfig](ABC):
    """One account for one event loop; ``close`` gives back its connections.

    A subclass says where a message is posted (``path``), how it is written and how the answer is
    read. ``write`` may raise :class:`UnsendableEmail` and :class:`MetadataRefused`, ``read`` the
    latter.
    """

    FACTS: ClassVar[Facts]

    def __init__(self, config: Config, client: httpx.AsyncClient | None = None) -> None:
        self.config = config
        self._client = client or http_client(
            connections=config.connections,
            connect_timeout=config.connect_timeout,
            total_timeout=config.total_timeout,
        )
        self._line = Line(self._client, config.name, config.total_timeout)

    @property
    @abstractmethod
    def path(self) -> str:
        """Where messages are posted, below the address of the API."""

    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """What each request carries: the credentials."""

    @abstractmethod
    def write(self, email: OutboundEmail) -> bytes: ...

    @abstractmethod
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome: ...

    @property
    def facts(self) -> Facts:
        return self.FACTS

    async def send(self, email: OutboundEmail, go: Go) -> Outcome:
        read = partial(self.read, email=email)
        return await hand_over(self._line, email, go, build=self._build, read=read)

    async def find(self, attempt: AttemptRef) -> LookUp:
        try:
            return await self.look_up(attempt)
        except NoAnswer as failure:
            return CannotTell(failure.outcome.text)

    async def look_up(self, attempt: AttemptRef) -> LookUp:
        """May raise :class:`NoAnswer`."""
        return CannotTell(f"{self.config.name} can't be asked about messages.")

    async def check(self) -> Check:
        """Ask what changes nothing, where the provider has such a question."""
        asked = PROBES.get(self.FACTS.name)
        if asked is None:
            return CannotTell(f"{self.config.name} has no question that only needs a right key.")
        try:
            return read_probe(asked, await probe(self, asked, self.config), self.config.name)
        except NoAnswer as failure:
            return Fails(failure.outcome.text)

    async def close(self) -> None:
        await self._client.aclose()

    async def get(self, path: str, query: Mapping[str, str | int] | None = None) -> Answer:
        """Ask the provider for something. Raises :class:`NoAnswer`."""
        request = self._client.build_request(
            "GET", self.config.api + path, params=dict(query or {}), headers=self._sent()
        )
        return await self._ask(request)

    async def ask(self, path: str, content: bytes) -> Answer:
        """The same, of a provider that is asked by POST."""
        return await self._ask(self._post(path, content))

    async def _ask(self, request: httpx.Request) -> Answer:
        line = self._line
        return await call(line.client, request, provider=line.provider, total=line.total)

    def _build(self, email: OutboundEmail) -> httpx.Request:
        return self._post(self.path, self.write(email))

    def _post(self, path: str, content: bytes) -> httpx.Request:
        headers = {**self._sent(), "Content-Type": "application/json"}
        return self._client.build_request(
            "POST", self.config.api + path, content=content, headers=headers
        )

    def _sent(self) -> dict[str, str]:
        return {"Accept": "application/json", **self.headers()}
