"""Retry and cancel, and why they may be refused."""

import uuid
from collections.abc import Iterator

import pytest

from app.items import operate, publish
from app.items.operate import NotApplied, UnknownItem
from app.models import statements
from app.models.queries.publish import Due
from app.models.statements import Statements
from app.workflow import State, find_moves
from tests.fakes.items import history_of, put_item, see, state_of
from tests.fakes.transports import find_nothing

published: list[Due] = []


@pytest.fixture(autouse=True)
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Publishing without a broker: what would have been published is kept."""

    async def keep(items: list[Due]) -> bool:
        published.extend(items)
        return True

    async def now(items: list[Due]) -> None:
        await publish.publish(items)

    published.clear()
    publish.use(keep)
    monkeypatch.setattr(publish, "publish_after_commit", now)
    yield
    published.clear()


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("name", ["retry", "cancel"])
async def test_a_transition_is_applied_from_its_sources_and_refused_from_all_others(
    database: Statements, name: str, state: State
) -> None:
    item = await put_item(state, error_kind="rejected")
    moves = find_moves(name, state)
    if moves:
        applied = await getattr(operate, name)(item.id, "operator:1")
        assert applied.state == moves[0].target == await state_of(item.id)
        assert await history_of(item.id) == [(name, state, moves[0].target)]
    else:
        with pytest.raises(NotApplied) as refusal:
            await getattr(operate, name)(item.id, "operator:1")
        assert refusal.value.state == state == await state_of(item.id)


async def test_a_retry_starts_afresh(database: Statements) -> None:
    item = await put_item("errored", error_kind="retries_exhausted", retries=12, result="busy")
    await operate.retry(item.id, "operator:1")
    row = await see(item.id)
    assert (row["retries"], row["result"], row["attempt_id"], row["error_kind"]) == (
        0,
        None,
        None,
        None,
    )
    assert [due.item_id for due in published] == [item.id]


@pytest.mark.parametrize("name", ["retry", "cancel"])
async def test_an_unknown_outcome_needs_a_confirmation(database: Statements, name: str) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    with pytest.raises(NotApplied, match="may have been sent"):
        await getattr(operate, name)(item.id, "operator:1")
    assert await state_of(item.id) == "errored"
    await getattr(operate, name)(item.id, "operator:1", confirm=True)
    assert await state_of(item.id) == ("queued" if name == "retry" else "cancelled")


async def test_cancelling_an_unknown_outcome_says_that_it_may_have_been_sent(
    database: Statements,
) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    await operate.cancel(item.id, "operator:1", confirm=True)
    assert "may have been sent" in (await see(item.id))["result"]


@pytest.mark.parametrize("name", ["retry", "cancel"])
async def test_a_dry_run_says_what_would_be_and_changes_nothing(
    database: Statements, name: str
) -> None:
    item = await put_item("errored", error_kind="rejected")
    applied = await getattr(operate, name)(item.id, "operator:1", dry_run=True)
    assert applied.state == ("queued" if name == "retry" else "cancelled")
    assert await state_of(item.id) == "errored"
    assert await history_of(item.id) == []
    assert published == []


async def test_an_item_that_is_not_there_is_named(database: Statements) -> None:
    missing = uuid.uuid7()
    with pytest.raises(UnknownItem, match=str(missing)):
        await operate.retry(missing, "operator:1")


@pytest.mark.parametrize("name", ["retry", "cancel"])
async def test_the_dead_letter_goes_with_the_decision(database: Statements, name: str) -> None:
    from app.items import rescue
    from tests.fakes.items import letters_of, raw

    item = await put_item("sending", lease_until=raw("now() - interval '6 s'"))
    await rescue.rescue(find_nothing, 10)
    assert await letters_of(item.id) == 1
    await getattr(operate, name)(item.id, "operator:1", confirm=True)
    assert await letters_of(item.id) == 0


async def test_a_retry_is_refused_once_an_attachment_is_cleaned_away(
    database: Statements,
) -> None:
    item = await put_item("errored", error_kind="rejected")
    content = (await see(item.id))["email_id"]
    await statements.run(
        "INSERT INTO blobs (sha256, path, size, removed_at) VALUES ('x', 'x', 1, now())"
    )
    file = uuid.uuid7()
    await statements.run(
        "INSERT INTO attachments (id, sha256, name, content_type, size) "
        "VALUES ($1, 'x', 'a.txt', 'text/plain', 1)",
        file,
    )
    await statements.run(
        "INSERT INTO email_attachments (email_id, position, attachment_id) VALUES ($1, 0, $2)",
        content,
        file,
    )
    with pytest.raises(NotApplied, match="attachments"):
        await operate.retry(item.id, "operator:1")
    assert await state_of(item.id) == "errored"
