"""Everything that may happen to one item, in any order: how often can its message go out?

A small provider keeps the truth: which attempts it took. Whatever workers, reports, operators, the
sweep and the clock do, it has taken no more messages than people and doubtful retries account for.
"""

import asyncio
import uuid
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from app.items import evidence, outcome, rescue
from app.models import statements
from app.models.queries import claim as claiming
from app.models.queries import operate, timeouts
from app.models.statements import Statements
from app.settings import RetrySettings
from app.transports import channels
from app.transports.channels import Channels
from app.transports.contract import Accepted, NotSent, Rejected, TryLater, Unknown
from tests.fakes.items import event, letters_of, put_item, see
from tests.fakes.transports import find_nothing

TAKEN = {
    "accepted": lambda key: Accepted(f"message of {key}"),
    "answer lost": lambda _: Unknown("no answer"),
    "5xx": lambda _: TryLater("502", "502", may_have_been_sent=True),
}
NOT_TAKEN = {
    "not sent": lambda _: NotSent("no connection"),
    "busy": lambda _: TryLater("429", "429"),
    "rejected": lambda _: Rejected("no", "550"),
    "answer lost": lambda _: Unknown("no answer"),
    "5xx": lambda _: TryLater("502", "502", may_have_been_sent=True),
}
REPORTS = ("in_flight", "engaged", "delivered", "failed")


class ItemModel(RuleBasedStateMachine):
    """One item between workers, a provider and people."""

    method = "email"

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.pool = Statements(dsn, 2)
        statements.use(self.pool)
        channels.use(Channels())
        self.item = self.run(put_item("queued", attempts=0, method=self.method)).id
        self.open: list[uuid.UUID] = []
        self.taken: list[uuid.UUID] = []
        self.doubtful = 0
        self.people = 0

    def run[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.run(self.pool.close())
        self.loop.close()

    @rule()
    def time_passes_until_it_is_due(self) -> None:
        self.run(
            statements.run(
                "UPDATE queue_items SET due_at = now() WHERE id = $1 AND due_at > now()", self.item
            )
        )

    @rule(takes=st.booleans())
    def a_worker_starts_an_attempt(self, takes: bool) -> None:
        key = uuid.uuid7()
        if self.run(claiming.claim(self.item, key, 40.0, "worker")) is None:
            return
        self.open.append(key)
        if takes:
            self.taken.append(key)

    @rule(data=st.data())
    def a_worker_records(self, data: st.DataObject) -> None:
        if not self.open:
            return
        key = data.draw(st.sampled_from(self.open))
        answers = TAKEN if key in self.taken else NOT_TAKEN
        name = data.draw(st.sampled_from(sorted(answers)))
        self.open.remove(key)
        self.run(self._record(key, name, answers[name](key)))

    async def _record(self, key: uuid.UUID, name: str, result: Any) -> None:
        attempt = outcome.Attempt(self.item, key, self.method, 0, 0, "worker")
        row = await outcome.record(outcome.entry_for(attempt, result, RetrySettings()))
        if name == "5xx" and row is not None and row["after"] == "delayed":
            self.doubtful += 1

    @rule()
    def the_lease_ends_and_the_sweep_comes(self) -> None:
        self.run(
            statements.run(
                "UPDATE queue_items SET lease_until = now() - interval '1 min' "
                "WHERE id = $1 AND state = 'sending'",
                self.item,
            )
        )
        self.run(rescue.rescue(find_nothing, 10))

    @rule(data=st.data(), said=st.sampled_from(REPORTS))
    def the_provider_reports(self, data: st.DataObject, said: str) -> None:
        if not self.taken:
            return
        key = data.draw(st.sampled_from(self.taken))
        for event_id in self.run(evidence.store("sandbox", [event(said, key)])):
            self.run(evidence.apply(event_id))

    @rule(confirm=st.booleans())
    def a_person_retries(self, confirm: bool) -> None:
        answer = self.run(operate.retry(self.item, "person", confirm=confirm, dry_run=False))
        state = self.run(see(self.item))
        self.people += bool(answer and answer.moved)
        assert not (answer and answer.moved) or state["state"] == "queued"

    @rule(confirm=st.booleans())
    def a_person_cancels(self, confirm: bool) -> None:
        self.run(operate.cancel(self.item, "person", confirm=confirm, dry_run=False))

    @rule()
    def the_wait_for_a_report_ends(self) -> None:
        row = self.run(see(self.item))
        if row["attempt_id"] is not None:
            self.run(timeouts.time_out(self.item, row["attempt_id"], "no report", "timeout"))

    @invariant()
    def no_message_goes_out_unaccounted_for(self) -> None:
        assert len(self.taken) <= 1 + self.people + self.doubtful

    @invariant()
    def the_history_leads_to_the_state(self) -> None:
        rows = self.run(
            statements.run(
                "SELECT from_state, to_state FROM item_history WHERE item_id = $1 ORDER BY id",
                self.item,
            )
        )
        state = "queued"
        for row in rows:
            assert row["from_state"] == state
            state = row["to_state"]
        assert state == self.run(see(self.item))["state"]

    @invariant()
    def only_an_errored_item_has_dead_letters(self) -> None:
        if self.run(see(self.item))["state"] != "errored":
            assert self.run(letters_of(self.item)) == 0

    @invariant()
    def a_reported_delivery_is_not_called_unknown(self) -> None:
        row = self.run(see(self.item))
        if row["error_kind"] != "outcome_unknown":
            return
        rows = self.run(
            statements.run(
                "SELECT 1 FROM attempts WHERE item_id = $1 AND report IN ('delivered', 'engaged')",
                self.item,
            )
        )
        assert not rows


class SmsModel(ItemModel):
    method = "sms"


dsn = ""


@pytest.mark.parametrize("model", [ItemModel, SmsModel])
def test_nothing_that_happens_sends_a_message_unaccounted_for(
    database_url: str, model: type[ItemModel]
) -> None:
    global dsn
    dsn = database_url.replace("+asyncpg", "")
    run_state_machine_as_test(
        model,
        settings=settings(
            max_examples=60,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
