"""What Postmark's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import (
    Accepted,
    Address,
    MetadataRefused,
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.email.postmark.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.postmark.transport import PostmarkTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.postmark.server import METADATA_REFUSED, FakePostmark, changed, refuse
from tests.fakes.twilio_faults import Fault, http
from tests.providers.emails import an_email
from tests.providers.postmark.provider import config_for

ADA = Address("Ada@example.com", "Ada Lovelace")
INACTIVE = (
    "Message OK, but will not deliver to these inactive addresses: {}. Inactive recipients are ones"
    " that have generated a hard bounce, a spam complaint, or a manual suppression."
)


@pytest.fixture
async def postmark() -> AsyncIterator[FakePostmark]:
    async with FakePostmark() as fake:
        yield fake


async def send(postmark: FakePostmark, fault: Fault | None = None, **fields: Any) -> Outcome:
    postmark.next_sends = [fault] if fault else []
    transport = PostmarkTransport(config_for(postmark, total_timeout=1.0))
    try:
        return await transport.send(an_email(**({"receiver": ADA} | fields)), lambda: None)
    finally:
        await transport.close()


async def test_acceptance_has_postmarks_id(postmark: FakePostmark) -> None:
    outcome = await send(postmark)
    [message] = postmark.messages.values()
    assert outcome == Accepted(message.id, "Postmark: OK")


async def test_the_request_carries_the_token_and_says_that_it_is_json(
    postmark: FakePostmark,
) -> None:
    await send(postmark)
    [headers] = postmark.headers
    assert headers["X-Postmark-Server-Token"] == postmark.token
    assert (headers["Content-Type"], headers["Accept"]) == ("application/json",) * 2


async def test_an_acceptance_without_a_code_that_may_be_delayed_is_one(
    postmark: FakePostmark,
) -> None:
    said = "Message accepted, but delivery may be delayed."
    outcome = await send(postmark, changed(ErrorCode=None, Message=said, MessageID="pm3"))
    assert outcome == Accepted("pm3", f"Postmark: {said}")


async def test_a_receiver_that_is_left_out_of_a_success_is_rejected(
    postmark: FakePostmark,
) -> None:
    outcome = await send(postmark, changed(Message=INACTIVE.format("ada@example.com")))
    assert isinstance(outcome, Rejected)
    assert outcome.code == "406"


async def test_a_success_that_leaves_out_others_is_one(postmark: FakePostmark) -> None:
    outcome = await send(postmark, changed(Message=INACTIVE.format("bob@example.com, c@d.example")))
    assert isinstance(outcome, Accepted)


@pytest.mark.parametrize(("code", "known"), ERROR_CODES.items())
async def test_each_code_has_its_class(postmark: FakePostmark, code: str, known: Any) -> None:
    status = {"10": 401, "429": 429}.get(code, 422)
    outcome = await send(postmark, refuse(int(code), status=status))
    if known.refusal == "try_later":
        assert isinstance(outcome, TryLater)
        assert not outcome.may_have_been_sent
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.kind == RejectKind(known.refusal.value)
    assert outcome.code == code
    assert known.meaning in outcome.text


async def test_an_inactive_receiver_is_rejected_in_our_words(postmark: FakePostmark) -> None:
    outcome = await send(postmark, refuse(406, "Found inactive addresses: ada@example.com."))
    assert isinstance(outcome, Rejected)
    assert "inactive" in outcome.text
    assert "ada@" not in outcome.text


async def test_what_is_wrong_with_the_message_is_said_in_postmarks_words(
    postmark: FakePostmark,
) -> None:
    outcome = await send(postmark, refuse(300, "Invalid 'From' address: 'nope'."))
    assert outcome == Rejected(
        "Postmark: the message is not valid (Invalid 'From' address: 'nope'.).", "300"
    )


async def test_a_wrong_token_pauses_the_channel(postmark: FakePostmark) -> None:
    postmark.token = "another"
    outcome = await send(postmark)
    assert isinstance(outcome, Accepted)
    transport = PostmarkTransport(config_for(postmark, server_token="wrong"))
    outcome = await transport.send(an_email(), lambda: None)
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "10")
    assert outcome.code in transport.facts.pause_codes
    await transport.close()


def test_every_code_that_pauses_is_known_or_a_status() -> None:
    assert {c for c in PAUSE_CODES if not c.startswith("http_")} <= set(ERROR_CODES)


async def test_too_many_requests_are_put_off_as_long_as_postmark_says(
    postmark: FakePostmark,
) -> None:
    outcome = await send(postmark, refuse(429, status=429, **{"Retry-After": "17"}))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (17.0, False)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", ["", "<html>", '{"ErrorCode": 406}', '{"ErrorCode": 100}'])
async def test_a_failure_of_postmarks_is_retried_and_may_have_been_sent(
    postmark: FakePostmark, status: int, body: str
) -> None:
    outcome = await send(postmark, http(status, body))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.may_have_been_sent) == (f"http_{status}", True)
    assert "may have been sent" in outcome.text


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RejectKind.REJECTED),
        (401, RejectKind.CONFIGURATION),
        (403, RejectKind.CONFIGURATION),
        (404, RejectKind.CONFIGURATION),
        (413, RejectKind.REJECTED),
        (415, RejectKind.REJECTED),
        (422, RejectKind.REJECTED),
        (302, RejectKind.CONFIGURATION),
    ],
)
async def test_without_a_code_the_status_decides(
    postmark: FakePostmark, status: int, kind: RejectKind
) -> None:
    outcome = await send(postmark, http(status, "<html>", headers={"Location": "/x"}))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (kind, f"http_{status}")


async def test_a_wrong_token_is_one_whatever_code_comes_with_it(postmark: FakePostmark) -> None:
    outcome = await send(postmark, http(401, '{"ErrorCode": 999, "Message": "no"}'))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "http_401")


@pytest.mark.parametrize("status", [408, 423, 425, 429])
async def test_statuses_that_mean_later_are_surely_not_sent(
    postmark: FakePostmark, status: int
) -> None:
    outcome = await send(postmark, http(status))
    assert isinstance(outcome, TryLater)
    assert not outcome.may_have_been_sent


@pytest.mark.parametrize(
    "fault",
    [
        http(200, "<html>OK</html>"),
        http(200, ""),
        http(200, "[]"),
        http(204),
        changed(MessageID=None),
        changed(MessageID=""),
        changed(MessageID="x" * 300),
        changed(MessageID="a\r\nb"),
        changed(ErrorCode=99999),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(
    postmark: FakePostmark, fault: Fault
) -> None:
    """Field report 22."""
    outcome = await send(postmark, fault)
    assert isinstance(outcome, Unknown)
    assert "may have been sent" in outcome.text


async def test_a_success_whose_code_says_failure_is_a_failure(postmark: FakePostmark) -> None:
    outcome = await send(postmark, changed(ErrorCode=406))
    assert isinstance(outcome, Rejected)


@pytest.mark.parametrize(
    ("code", "text"), [(300, METADATA_REFUSED), (403, "Invalid request field(s): $.Metadata")]
)
async def test_refused_metadata_is_told_apart_from_a_refused_message(
    postmark: FakePostmark, code: int, text: str
) -> None:
    with pytest.raises(MetadataRefused):
        await send(postmark, refuse(code, text), metadata={"vdq_queue_item": "1"})
    assert isinstance(await send(postmark, refuse(code, text)), Rejected)
