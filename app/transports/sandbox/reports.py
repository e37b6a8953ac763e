"""How the sandbox's reports get from the call that planned them to the webhook route."""

import json
import time
from collections.abc import Mapping
from typing import Any, Protocol

import httpx

from app.transports.sandbox.webhook import SIGNATURE, TIMESTAMP, sign

type Report = Mapping[str, Any]


class Plan(Protocol):
    """Keeps reports until they are due, through restarts."""

    async def __call__(self, method: str, report: Report, delay: float) -> None: ...


class Reporter:
    """Posts reports to our own webhook routes, as a provider would."""

    def __init__(self, public_url: str, secret: str) -> None:
        self._public_url = public_url
        self._secret = secret

    async def post(self, method: str, report: Report) -> bool:
        """Post one report; whether it was stored. It is repeated by the caller otherwise."""
        body = json.dumps(report).encode()
        timestamp = str(int(time.time()))
        headers = {
            "content-type": "application/json",
            TIMESTAMP: timestamp,
            SIGNATURE: sign(self._secret, timestamp, body),
        }
        url = f"{self._public_url}/webhooks/{method}/sandbox"
        try:
            async with httpx.AsyncClient(timeout=5, trust_env=False) as client:
                answer = await client.post(url, content=body, headers=headers)
        except httpx.HTTPError:
            return False
        return answer.is_success
