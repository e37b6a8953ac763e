"""The API as clients and operators use it: any web process, and no answer is no answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``status`` 0: nothing that can be read."""

    status: int
    body: Any = None

    @property
    def lost(self) -> bool:
        """Whether the request may have been obeyed or not, or should be tried later."""
        return self.status in {0, 409, 425, 429} or self.status >= 500


class Api:
    """``webs`` are the addresses of the web processes."""

    def __init__(self, webs: Sequence[str], token: str, chance: Random) -> None:
        self.webs = webs
        self._chance = chance
        self._client = httpx.AsyncClient(
            trust_env=False, timeout=TIMEOUT_S, headers={"Authorization": f"Bearer {token}"}
        )

    async def ask(
        self,
        method: str,
        path: str,
        *,
        web: str = "",
        key: str = "",
        body: Any = None,
        query: Mapping[str, Any] | None = None,
    ) -> Answer:
        """One request to a web process, to any where none is named."""
        url = (web or self._chance.choice(self.webs)) + path
        headers = {"Idempotency-Key": key} if key else {}
        try:
            answer = await self._client.request(
                method, url, json=body, params=query, headers=headers
            )
            return Answer(answer.status_code, answer.json())
        except httpx.HTTPError, ValueError:
            return Answer(0)

    async def close(self) -> None:
        await self._client.aclose()
