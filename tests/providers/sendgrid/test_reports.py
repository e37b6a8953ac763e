"""What SendGrid's reports mean, and whom its webhook believes."""

import base64
import json
from dataclasses import replace
from typing import Any, ClassVar, override

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.transports.contract import RawRequest, WebhookUnreadable
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.events import event_of
from app.transports.email.sendgrid.webhook import SIGNATURE, TIMESTAMP, SendgridWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import reports_of
from tests.providers.report_suite import NOW, ReportSuite, accept

KEY = ec.generate_private_key(ec.SECP256R1())
GUESS = ec.generate_private_key(ec.SECP256R1())

SENDGRIDS = ("bounce_classification", "sg_machine_open")
"""Fields of SendGrid's own that the captures take for metadata."""


def public(key: ec.EllipticCurvePrivateKey) -> str:
    der = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(der).decode()


class TestReports(ReportSuite):
    esp: ClassVar[str] = "sendgrid"
    tolerance: ClassVar[int | None] = 25 * 3600

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> SendgridWebhook:
        key = public(KEY) if signed else ""
        config = SendgridConfig(api_key="k", webhook_key=key, webhook_logins=logins)
        return SendgridWebhook(config, lambda: NOW)

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        key = GUESS if forged else KEY
        signature = key.sign(str(at).encode() + request.body, ec.ECDSA(hashes.SHA256()))
        signed = {SIGNATURE: base64.b64encode(signature).decode(), TIMESTAMP: str(at)}
        return replace(request, headers={**request.headers, **signed})

    @override
    def expected(self, case: dict[str, Any]) -> dict[str, Any]:
        metadata = {n: v for n, v in case["metadata"].items() if n not in SENDGRIDS}
        return super().expected(case | {"metadata": metadata})

    @override
    def test_different_reports_are_different_events(self) -> None:
        """The captured ones have one id."""
        reports = [{"event": "open", "sg_event_id": one} for one in "ab"]
        reports += [{"event": "open", "timestamp": one} for one in (1, 1.5)]
        assert len({event_of(one).event_key for one in reports}) == 4


def parse(listed: Any) -> list[str]:
    suite = TestReports()
    body = json.dumps(listed).encode()
    request = suite.sign(reports_of("sendgrid")[0].values[0].request(body))
    return [event.status for event in accept(suite.webhook(), request)]


def test_one_odd_report_is_kept_and_loses_no_other() -> None:
    """Field report 34."""
    odd: list[Any] = [None, 1, "open", [], {}, {"event": None}, {"event": ["open"]}]
    read = parse([{"event": "open"}, *odd, {"event": "click"}])
    assert read == ["open", *["unreadable"] * len(odd), "click"]


def test_an_empty_list_reports_nothing() -> None:
    assert parse([]) == []


@pytest.mark.parametrize("content", [{}, {"event": "open"}, [1], [{}], "open", None])
def test_what_has_no_report_is_unreadable(content: Any) -> None:
    with pytest.raises(WebhookUnreadable):
        parse(content)


@pytest.mark.parametrize(
    ("report", "kind", "reason"),
    [
        ({"event": "bounce", "type": "blocked"}, "bounced", "blocked"),
        ({"event": "bounce", "type": "expired"}, "bounced", "bounced"),
        ({"event": "dropped", "reason": "Bounced Address"}, "rejected", "bounced"),
        ({"event": "dropped", "reason": "Unsubscribed Address"}, "rejected", "unsubscribed"),
        ({"event": "dropped", "reason": "Recipient List over Quota"}, "rejected", "other"),
        ({"event": "dropped", "type": "expired", "reason": "x"}, "rejected", "timed_out"),
        ({"event": "dropped", "type": "blocked", "reason": "x"}, "rejected", "blocked"),
        ({"event": "group_unsubscribe"}, "unsubscribed", ""),
        ({"event": "one of the future"}, "unknown", ""),
    ],
)
def test_a_report_has_its_reason(report: dict[str, Any], kind: str, reason: str) -> None:
    event = event_of(report)
    assert (event.type.value, event.reason) == (kind, reason)


def test_the_id_is_the_one_that_we_gave() -> None:
    theirs = {"event": "open", "smtp-id": "<a@b>"}
    assert event_of(theirs | {"anymail_id": "b", "pillarbox_id": "c"}).message_id == "c"
    assert event_of(theirs).message_id == "<a@b>"


@pytest.mark.parametrize("tags", ["receipts", ["receipts"], ["receipts", 1, ""]])
def test_tags_are_a_text_or_a_list(tags: Any) -> None:
    assert event_of({"event": "open", "category": tags}).tags == ("receipts",)


def test_a_signature_by_the_previous_key_is_believed_while_it_is_changed() -> None:
    config = SendgridConfig(
        api_key="k", webhook_key=public(GUESS), previous_webhook_key=public(KEY)
    )
    request = TestReports().sign(reports_of("sendgrid")[0].values[0].request())
    SendgridWebhook(config, lambda: NOW).authenticate(request)
