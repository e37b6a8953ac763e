"""``arvel transport:parse`` as somebody types it, where no server runs."""

import hashlib
import hmac
import json
import time
from pathlib import Path

import pytest
from twilio.request_validator import RequestValidator

from tests.fakes.command_line import Said, type_in
from tests.feature.configuration.test_boot_refuses import NOWHERE
from tests.feature.transports.given import write

KEY = "canary-signing-key"
TWILIO = "https://hooks.example.com/webhooks/sms/twilio?queue_item=1"
TOKEN = "canary-auth-token"
ACCOUNT = f"AC{'0' * 32}"


def mailgun(key: str, *, age: float = 0.0) -> bytes:
    """A report that Mailgun signed so many seconds ago."""
    at, token = str(int(time.time() - age)), "0a" * 25
    signature = hmac.new(key.encode(), f"{at}{token}".encode(), hashlib.sha256).hexdigest()
    proof = {"timestamp": at, "token": token, "signature": signature}
    data = {"event": "delivered", "recipient": "ada@example.com", "timestamp": time.time()}
    return json.dumps({"signature": proof, "event-data": data}).encode()


async def parse(folder: Path, body: bytes, *more: str, name: str = "mailgun", **env: str) -> Said:
    files = write(folder, {"Content-Type": "application/json"}, body)
    return await type_in(
        *("transport:parse", name, "--url", "https://hooks.example.com/webhooks/email/mailgun"),
        *("--headers", files["headers"], "--body", files["body"], *more),
        environment=NOWHERE | env,
    )


async def test_what_is_signed_is_read_without_any_server(tmp_path: Path) -> None:
    """The key alone is configured: nothing that only sending needs."""
    said = await parse(tmp_path, mailgun(KEY), MAILGUN_WEBHOOK_KEY=KEY)

    assert said.code == 0, said.all
    assert json.loads(said.out)["event_type"] == "delivered"


@pytest.mark.parametrize("body", [mailgun("another key"), mailgun(KEY, age=3 * 24 * 3600.0)])
async def test_what_the_route_would_refuse_is_refused(tmp_path: Path, body: bytes) -> None:
    said = await parse(tmp_path, body, MAILGUN_WEBHOOK_KEY=KEY)

    assert said.code == 1
    assert said.out == ""
    assert said.err.startswith("Refused: ")
    assert "canary" not in said.err


async def test_nothing_is_believed_where_no_key_is_configured(tmp_path: Path) -> None:
    said = await parse(tmp_path, mailgun(KEY))
    assert (said.code, said.out) == (1, "")


async def test_it_can_be_read_without_being_believed(tmp_path: Path) -> None:
    said = await parse(tmp_path, mailgun("another key"), "--unverified")
    assert json.loads(said.out)["recipient"] == "ada@example.com"


async def test_what_is_no_report_is_exit_code_1(tmp_path: Path) -> None:
    said = await parse(tmp_path, b"[]", "--unverified")
    assert (said.code, said.out) == (1, "")


async def test_a_request_of_twilio_is_judged_by_its_address(tmp_path: Path) -> None:
    fields = {"MessageSid": f"SM{'1' * 32}", "MessageStatus": "delivered", "AccountSid": ACCOUNT}
    signature = RequestValidator(TOKEN).compute_signature(TWILIO, fields)
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Twilio-Signature": signature,
    }
    body = "&".join(f"{name}={value}" for name, value in fields.items()).encode()
    files = write(tmp_path, headers, body)
    words = ("--headers", files["headers"], "--body", files["body"])
    env = {"TWILIO_ACCOUNT_SID": ACCOUNT, "TWILIO_AUTH_TOKEN": TOKEN, **NOWHERE}

    right = await type_in("transport:parse", "twilio", "--url", TWILIO, *words, environment=env)
    wrong = await type_in(
        *("transport:parse", "twilio", "--url", TWILIO + "2", *words), environment=env
    )

    assert json.loads(right.out)["event_type"] == "delivered", right.all
    assert (wrong.code, wrong.out) == (1, "")
