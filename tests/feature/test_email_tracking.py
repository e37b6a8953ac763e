"""How emails carry our keys: by metadata, by an owner's strategy, or not at all."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from app.jobs.email_sending import send_email
from app.models import statements
from app.models.statements import Statements
from app.transports.contract import Accepted, MetadataRefused, Outcome
from app.transports.email.postmark.facts import FACTS
from app.transports.email.tracking import (
    EmailTrackingStrategy,
    MetadataEmailTrackingStrategy,
    TrackingKeys,
)
from tests.fakes.items import put_item, see
from tests.fakes.logs import listen_to
from tests.fakes.postmark.given import add_one, pillarbox, until_state, verdicts
from tests.fakes.postmark.server import FakePostmark
from tests.fakes.transports import Message, Scripted
from tests.fakes.waiting import until
from tests.providers.emails import an_email

NONE = "app.transports.email.tracking.EmailTrackingStrategy"


@pytest.fixture
async def postmark() -> AsyncIterator[FakePostmark]:
    async with FakePostmark() as fake:
        yield fake


async def keyless(item: UUID) -> bool:
    rows = await statements.run("SELECT keyless FROM attempts WHERE item_id = $1", item)
    return bool(rows[0]["keyless"])


async def attempt_of(item: UUID) -> UUID:
    rows = await statements.run("SELECT id FROM attempts WHERE item_id = $1", item)
    return rows[0]["id"]


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_by_default_metadata_names_item_and_attempt(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "awaiting")
        attempt = await attempt_of(item)
    [message] = postmark.messages.values()
    assert message.metadata == {"vdq_queue_item": str(item), "vdq_attempt": str(attempt)}


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_without_a_strategy_reports_are_matched_by_the_providers_id(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.reports = ["Delivery"]
    async with pillarbox(postmark, tmp_path, EMAIL_TRACKING_STRATEGY=NONE):
        item = await add_one()
        await until_state(item, "succeeded")
        assert await keyless(item)
    [message] = postmark.messages.values()
    assert message.metadata == {}


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_strategy_of_ones_own_finds_a_message_before_its_id_is_known(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.reports, postmark.report_before_answer = ["Delivery"], True
    strategy = "tests.fakes.strategies.TagStrategy"
    async with pillarbox(postmark, tmp_path, EMAIL_TRACKING_STRATEGY=strategy):
        item = await add_one(tags=["receipts"])
        await until_state(item, "succeeded")
        assert not await keyless(item)
    [message] = postmark.messages.values()
    assert message.metadata == {}
    assert str(item) in message.tag


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_strategy_can_not_pass_over_the_providers_id(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    strategy = "tests.fakes.strategies.TagStrategy"
    async with pillarbox(postmark, tmp_path, EMAIL_TRACKING_STRATEGY=strategy):
        item = await add_one()
        await until_state(item, "awaiting")
        [message] = postmark.messages.values()
        await postmark.report(message, "Delivery", MessageID="another message")
        await until(lambda: are_verdicts(["other_message"]))
        assert (await see(item))["state"] == "awaiting"


async def are_verdicts(expected: list[str]) -> bool:
    return await verdicts() == expected


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_strategy_with_the_items_key_alone_needs_the_providers_id(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    strategy = "tests.fakes.strategies.ItemStrategy"
    async with pillarbox(postmark, tmp_path, EMAIL_TRACKING_STRATEGY=strategy):
        item = await add_one()
        await until_state(item, "awaiting")
        [message] = postmark.messages.values()
        await postmark.report(message, "Delivery")
        await until_state(item, "succeeded")
        assert await keyless(item)


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_strategy_that_fails_loses_no_report(
    postmark: FakePostmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postmark.reports = ["Delivery"]
    strategy = "tests.fakes.strategies.BrokenStrategy"
    log = listen_to(monkeypatch, "app.controllers.webhooks.tracked")
    async with pillarbox(postmark, tmp_path, EMAIL_TRACKING_STRATEGY=strategy):
        await until_state(await add_one(), "succeeded")
    assert log.lines == [("tracking_failed", {"error": "LookupError"})]


# --- providers and accounts that refuse metadata


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_refused_metadata_is_left_out_and_the_message_taken_once(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.refuses_metadata = True
    postmark.reports = ["Delivery"]
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "succeeded")
        assert (await see(item))["attempts"] == 1
        assert await keyless(item)
    [message] = postmark.messages.values()
    assert message.metadata == {}
    assert postmark.requests["send"] == 2


def refusing(message: Message) -> Outcome:
    if message.metadata:  # type: ignore[union-attr]  # emails only
        raise MetadataRefused("this provider has no metadata")
    return Accepted("m-1")


class Unsupporting(Scripted):
    """A provider that knows before it is asked that it has no metadata."""

    def __init__(self) -> None:
        async def behave(message: Message, go: object) -> Outcome:
            return refusing(message)

        super().__init__(behaviour=behave)


async def test_a_provider_without_metadata_gets_the_message_as_it_was() -> None:
    transport, email = Unsupporting(), an_email(tags=("receipts",))
    outcome = await send_email(transport, email, lambda: None, MetadataEmailTrackingStrategy())
    assert isinstance(outcome, Accepted)
    assert transport.sent == [email]


@pytest.mark.parametrize(("ignored", "told"), [("false", True), ("true", False)])
@pytest.mark.usefixtures("database_url", "redis_url")
async def test_refused_metadata_is_logged_unless_that_is_ignored(
    postmark: FakePostmark,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ignored: str,
    told: bool,
) -> None:
    postmark.refuses_metadata = True
    log = listen_to(monkeypatch, "app.jobs.email_sending")
    async with pillarbox(postmark, tmp_path, EMAIL_IGNORE_UNSUPPORTED=ignored):
        item = await add_one()
        await until_state(item, "awaiting")
    assert [action for action, _ in log.lines] == ["metadata_refused"] * told
    assert all(said["item_id"] == str(item) for _, said in log.lines)
    assert len(postmark.messages) == 1


async def test_only_reports_that_are_not_signed_need_to_know_that_a_key_is_missing(
    database: Statements,
) -> None:
    for signs, noted in ((True, False), (False, True)):
        item = await put_item("sending")
        transport = Scripted()
        transport.facts = FACTS if not signs else transport.facts
        email = an_email(item_id=item.id, attempt_id=item.attempt)
        await send_email(transport, email, lambda: None, EmailTrackingStrategy())
        assert await keyless(item.id) is noted


# --- the strategies themselves


def test_metadata_is_added_to_what_there_is_and_read_back() -> None:
    strategy, email = MetadataEmailTrackingStrategy(), an_email(metadata={"x": "1"})
    keys = TrackingKeys(email.item_id, email.provider_key)
    tracked = strategy.attach(email, keys)
    assert tracked.metadata == {
        "x": "1",
        "vdq_queue_item": str(keys.item),
        "vdq_attempt": str(keys.attempt),
    }
    assert strategy.attach(email, keys) == tracked


def test_the_empty_strategy_leaves_an_email_as_it_is() -> None:
    email = an_email()
    assert EmailTrackingStrategy().attach(email, TrackingKeys(email.item_id)) is email
