"""Operators: they retry, cancel and resend whatever they see."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from local.faults.api import Answer, Api
from local.faults.plan import Act

LISTS = {
    "retry": ("/api/queue-items", "delayed,errored"),
    "retry many": ("/api/queue-items", "delayed,errored"),
    "cancel": ("/api/queue-items", "queued,delayed,errored"),
    "resend": ("/api/sent-items", "succeeded,unconfirmed,cancelled"),
}
"""What an operator looks at before deciding."""

MANY = 5
PAUSE_S = 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of an operator about an item, or about all (``None``), and what was answered."""

    at: float
    what: str
    item: UUID | None
    confirm: bool
    status: int
    copy: UUID | None = None

    @property
    def refused(self) -> bool:
        """Whether nothing was done for certain."""
        return 400 <= self.status < 500


class Operators:
    """All operators; ``asked`` in the order of the answers."""

    def __init__(self, api: Api, begin: float) -> None:
        self.asked: list[Asked] = []
        self._api = api
        self._begin = begin

    async def act(self, acts: Sequence[Act]) -> None:
        """Decide at each planned time, without waiting for what came of earlier decisions."""
        async with asyncio.TaskGroup() as group:
            for number, act in enumerate(acts):
                await asyncio.sleep(self._begin + act.at - time.time())
                group.create_task(self._decide(act, number))

    async def _decide(self, act: Act, number: int) -> None:
        if act.what == "retry all":
            await self._decide_all(act, number)
            return
        path, states = LISTS[act.what]
        seen = await self._api.ask("GET", path, query={"state": states, "limit": 100})
        if seen.status != 200 or not seen.body["data"]:
            return
        rows = seen.body["data"]
        first = int(act.draw * len(rows))
        ids = [UUID(row["id"]) for row in rows[first : first + MANY]]
        match act.what:
            case "resend":
                await self._resend(ids[0], act, number)
            case "retry many":
                await self._decide_many(ids, act)
            case _:
                await self._decide_one(ids[0], act)

    async def _decide_one(self, item: UUID, act: Act) -> None:
        body = {"confirm": act.confirm}
        answer = await self._api.ask("POST", f"/api/queue-items/{item}/{act.what}", body=body)
        self._note(act, item, answer)

    async def _decide_many(self, items: Sequence[UUID], act: Act) -> None:
        body = {"ids": [str(item) for item in items], "confirm": act.confirm}
        answer = await self._api.ask("POST", "/api/queue-items/retry", body=body)
        for item in items:
            self._note(act, item, answer)

    async def _decide_all(self, act: Act, number: int) -> None:
        method = "email" if act.draw < 0.5 else "sms"
        body = {
            "action": "retry",
            "filter": {"state": "errored", "method": method},
            "confirm": act.confirm,
        }
        self._note(act, None, await self._insist("/api/operations", number, body))

    async def _resend(self, item: UUID, act: Act, number: int) -> None:
        path, body = f"/api/sent-items/{item}/resend", {"confirm": act.confirm}
        self._note(act, item, await self._insist(path, number, body))

    async def _insist(self, path: str, number: int, body: Any) -> Answer:
        """Ask with the same key until there is an answer: it must be done once."""
        while True:
            answer = await self._api.ask("POST", path, key=f"operator-{number}", body=body)
            if not answer.lost or is_refusal(answer):
                return answer
            await asyncio.sleep(PAUSE_S)

    def _note(self, act: Act, item: UUID | None, answer: Answer) -> None:
        copy = answer.body.get("copy_id") if answer.status == 200 else None
        what = act.what.partition(" ")[0]
        self.asked.append(
            Asked(time.time(), what, item, act.confirm, answer.status, copy and UUID(copy))
        )


def is_refusal(answer: Answer) -> bool:
    """Whether a 409 is an answer for good, and no request that still runs."""
    return answer.status == 409 and not str(answer.body.get("type")).endswith("still-running")
