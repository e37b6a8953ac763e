"""Twilio's SDK on our HTTP client."""

import base64
import logging
from typing import override

import httpx
from twilio.http import AsyncHttpClient
from twilio.http.response import Response

from app.transports.contract import Go
from app.transports.http import USER_AGENT, Answer, call
from app.transports.sms.twilio_config import API, TwilioConfig

PROVIDER = "Twilio"


class TwilioCall(AsyncHttpClient):
    """The HTTP client of one call, which keeps the answer: the SDK drops its headers."""

    def __init__(
        self, client: httpx.AsyncClient, config: TwilioConfig, go: Go | None = None
    ) -> None:
        super().__init__(logging.getLogger(__name__), is_async=True, timeout=config.total_timeout)
        self.answer: Answer | None = None
        self._client = client
        self._config = config
        self._go = go

    @override
    async def request(
        self,
        method: str,
        uri: str,
        params: dict[str, object] | None = None,
        data: dict[str, object] | None = None,
        headers: dict[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        timeout: float | None = None,
        allow_redirects: bool = False,
    ) -> Response:
        request = self._client.build_request(
            method,
            rebase(uri, self._config.api),
            data=data,
            headers=complete(headers or {}, auth),
        )
        self.answer = await call(
            self._client,
            request,
            provider=PROVIDER,
            total=self._config.total_timeout,
            go=self._go,
        )
        return Response(self.answer.status, self.answer.text, self.answer.headers)


def rebase(uri: str, api: str) -> str:
    """The SDK knows Twilio's own hosts only."""
    return api + uri.removeprefix(API)


def complete(headers: dict[str, str], auth: tuple[str, str] | None) -> dict[str, str]:
    completed = headers | {"User-Agent": f"{USER_AGENT} {headers.get('User-Agent', '')}".strip()}
    if auth:
        secret = base64.b64encode(":".join(auth).encode()).decode()
        completed["Authorization"] = f"Basic {secret}"
    return completed
