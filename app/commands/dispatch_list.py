"""``arvel dispatch:list``"""

from collections.abc import Sequence
from typing import override
from uuid import UUID

from app.commands.answers import (
    NOT_FOUND,
    OK,
    Answer,
    BadInput,
    read_choice,
    read_uuid,
    shorten,
    show_person,
    show_time,
)
from app.models.queries import browse as queries
from app.models.statements import Row
from app.workflow import State

HEADINGS = ["Item", "State", "Method", "Tries", "Queued (UTC)", "Receiver", "Result"]
MOST = 500
PAGE = 50


class DispatchList(Answer):
    signature: str = "dispatch:list {--state=} {--method=} {--limit=} {--before=}"
    description: str = (
        f"List items, newest first: --state one of {', '.join(State)}; --method email or sms;"
        f" --limit up to {MOST} ({PAGE} by default); --before ITEM for the page that follows."
    )

    @override
    async def answer(self) -> int:
        limit, before = self.limit(), self.before()
        rows = await queries.list_items(
            state=read_choice("--state", self.text_of("state"), list(State)),
            method=read_choice("--method", self.text_of("method"), ["email", "sms"]),
            before=before,
            limit=limit + 1,
        )
        if before is not None and not rows and not await queries.exists(before):
            self.error("--before: there is no such item.")
            return NOT_FOUND
        self.show(rows[:limit], more=len(rows) > limit)
        return OK

    def show(self, rows: Sequence[Row], *, more: bool) -> None:
        if not rows:
            self.info("No items. dispatch:email and dispatch:sms queue some.")
            return
        self.table(HEADINGS, [show_item(row) for row in rows])
        if more:
            self.comment(f"There are more: --before {rows[-1]['id']}")

    def limit(self) -> int:
        text = self.text_of("limit") or str(PAGE)
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
            raise BadInput(f"--limit must be a number from 1 to {MOST}.")
        return int(text)

    def before(self) -> UUID | None:
        text = self.text_of("before")
        return None if text is None else read_uuid("--before", text)


def show_item(row: Row) -> list[object]:
    return [
        row["id"],
        row["state"],
        row["method"],
        row["attempts"],
        show_time(row["queued"]),
        shorten(show_person(row["receiver_name"], row["receiver_address"]), 40),
        shorten(row["result"], 60),
    ]
