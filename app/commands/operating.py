"""What dispatch:retry, dispatch:cancel and dispatch:resend have in common."""

import asyncio
import getpass
import os
from collections.abc import Sequence
from typing import ClassVar, cast, override
from uuid import UUID

from app.commands.answers import NOT_FOUND, OK, Answer, BadInput, plain, read_uuid
from app.commands.given import read_time
from app.items import bulk_operations
from app.items.bulk import TooMany, decide_all
from app.items.bulk_operations import FIRST, InvalidFilter
from app.items.operate_verdicts import Refusal, Verdict
from app.models.bulk_operation import BulkOperation
from app.models.queries.bulk import Count, Result
from app.models.queries.bulk_filter import Filter
from app.models.queries.operate import Decision

REFUSED = NOT_FOUND

ARGUMENTS = (
    " {item*} {--confirm} {---dry-run|dry_run} {--all} {--state=} {--method=}"
    " {---error-kind|error_kind=} {---queued-from|queued_from=} {---queued-until|queued_until=}"
    " {--receiver=} {--origin=} {--tag=} {---created-by|created_by=}"
)

HELP = (
    " Name items by their ids, or with --all all that match: --state, --method, --error-kind,"
    " --queued-from and --queued-until (ISO 8601 with a zone), --receiver, --origin (TYPE or"
    " TYPE:ID), --tag, --created-by (OWNER/TOKEN). --dry-run says what would be done. What may have"
    " been sent already needs --confirm."
)

WAIT = 0.2


class Operate(Answer):
    """A line for each item: what was done on stdout, what was not and why on stderr."""

    action: ClassVar[str]
    done: ClassVar[str]

    @override
    async def answer(self) -> int:
        ids = [read_uuid("ITEM", text) for text in self.items()]
        try:
            return await (self.operate_on(ids) if ids else self.operate_by_filter())
        except (TooMany, InvalidFilter) as error:
            raise BadInput(str(error)) from None

    def items(self) -> list[str]:
        return cast("list[str] | None", self.argument("item")) or []

    def given(self, flag: str) -> bool:
        return bool(self.option(flag))

    def decision(self) -> Decision:
        return Decision(who(), self.given("confirm"), self.given("dry_run"))

    async def operate_on(self, ids: Sequence[UUID]) -> int:
        if self.given("all") or self.filter() != Filter():
            raise BadInput("Name items, or say with --all which ones, but not both.")
        verdicts = await decide_all(self.action, ids, self.decision())
        for verdict in verdicts:
            self.show_verdict(verdict)
        return OK if all(verdict.applied for verdict in verdicts) else REFUSED

    def show_verdict(self, verdict: Verdict) -> None:
        if verdict.refusal is not None:
            hint = " Add --confirm." if verdict.refusal == Refusal.UNKNOWN else ""
            self.show_refusal(verdict.item_id, f"{verdict.text}{hint}")
        elif self.given("dry_run"):
            self.line(f"{verdict.item_id}  would be {self.done}")
        else:
            self.show_done(verdict.item_id, verdict.copy_id)

    def show_done(self, item_id: UUID, copy_id: UUID | None) -> None:
        self.line(f"{item_id}  {self.done}{f' as {copy_id}' if copy_id else ''}")

    def show_refusal(self, item_id: UUID, text: str) -> None:
        self.error(f"{item_id}  not {self.done}: {plain(text)}")

    async def operate_by_filter(self) -> int:
        wanted = self.filter()
        if not self.given("all") and wanted == Filter():
            raise BadInput("Name items by their ids, or say with --all which ones.")
        if self.given("dry_run"):
            self.show_count(await bulk_operations.count(self.action, wanted))
            return OK
        if not self.given("all"):
            raise BadInput("Add --all to mean all items that match; --dry-run counts them first.")
        confirm = self.given("confirm")
        operation = await bulk_operations.start(self.action, wanted, who(), confirm=confirm)
        return self.show_summary(await self.follow(operation))

    async def follow(self, operation: BulkOperation) -> BulkOperation:
        """Help the workers with it, and show what comes of each item; an interrupt stops it."""
        shown = FIRST
        try:
            while True:
                worked = await bulk_operations.work_page(operation.id)
                operation = worked or await bulk_operations.find(operation.id) or operation
                shown = await self.show_results(operation.id, shown)
                if not operation.running:
                    return operation
                await asyncio.sleep(0 if worked else WAIT)
        except asyncio.CancelledError:
            await bulk_operations.stop(operation.id, who())
            self.error("Stopped. What was done stays done.")
            raise

    async def show_results(self, operation_id: UUID, shown: UUID) -> UUID:
        """Show what came behind ``shown``; the last item that was shown."""
        while results := await bulk_operations.list_results(operation_id, after=shown):
            for result in results:
                self.show_result(result)
            shown = results[-1].item_id
        return shown

    def show_result(self, result: Result) -> None:
        if result.result == "done":
            self.show_done(result.item_id, result.copy_id)
        else:
            hint = " Add --confirm." if result.result == "unknown" else ""
            self.show_refusal(result.item_id, f"{result.text}{hint}")

    def show_count(self, count: Count) -> None:
        confirm = self.given("confirm")
        matching = f"{'more than ' if count.more else ''}{count.matching:,}"
        applicable = count.applicable(confirm=confirm)
        self.line(f"{applicable:,} of {matching} that match would be {self.done}.")
        if count.unknown:
            skipped = "are among them" if confirm else "are skipped without --confirm"
            self.line(f"{count.unknown:,} may have been sent already, and {skipped}.")
        if count.refused:
            self.line(f"{count.refused:,} lost their attachments to clean-up, and are skipped.")

    def show_summary(self, operation: BulkOperation) -> int:
        self.line(f"{operation.done:,} {self.done}.")
        if operation.unknown:
            self.error(f"{operation.unknown:,} may have been sent already: see --confirm.")
        if operation.refused:
            self.error(f"{operation.refused:,} refused.")
        if operation.changed:
            self.line(f"{operation.changed:,} changed by themselves meanwhile.")
        if operation.state == "cancelled":
            self.error(f"Stopped by {plain(operation.cancelled_by)}.")
        whole = operation.state == "finished" and not operation.unknown and not operation.refused
        return OK if whole else REFUSED

    def filter(self) -> Filter:
        origin_type, _, origin_id = (self.text_of("origin") or "").partition(":")
        return Filter(
            state=self.text_of("state"),
            method=self.text_of("method"),
            error_kind=self.text_of("error_kind"),
            queued_from=read_time("--queued-from", self.text_of("queued_from")),
            queued_until=read_time("--queued-until", self.text_of("queued_until")),
            receiver=self.text_of("receiver"),
            origin_type=origin_type or None,
            origin_id=origin_id or None,
            tag=self.text_of("tag"),
            created_by=self.text_of("created_by"),
        )


def who() -> str:
    """The person at this terminal, as the history names them."""
    try:
        return f"cli:{getpass.getuser()}"
    except KeyError, OSError:
        return f"cli:{os.getuid()}"
