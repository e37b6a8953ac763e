"""A signature that was seen with one report proves no other one, also after a restart."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.models import statements
from tests.fakes.sns import TOPIC
from tests.fakes.sns import sign as sign_as_sns
from tests.fakes.web import Web, serving
from tests.providers.amazon_ses.test_reports import BY_NAME
from tests.providers.mailgun.test_reports import KEY, report, sign

pytestmark = pytest.mark.usefixtures("database_url", "redis_url")

MAILGUN = {
    "MAILGUN_API_KEY": "k",
    "MAILGUN_DOMAIN": "mg.example.com",
    "MAILGUN_WEBHOOK_KEY": KEY,
}


async def post(web: Web, body: bytes) -> int:
    headers = {"content-type": "application/json"}
    return (await web.post("/webhooks/email/mailgun", content=body, headers=headers)).status_code


async def test_a_token_of_mailgun_is_remembered_across_processes(tmp_path: Path) -> None:
    """Field report 39."""
    settings = {**MAILGUN, "STORAGE_PATH": str(tmp_path)}
    seen = sign(report(), at=int(time.time())).body
    other = seen.replace(b"ada@", b"eve@")
    assert other != seen
    async with serving(**settings) as web:
        assert await post(web, seen) == 200
    async with serving(**settings) as web:
        assert await post(web, other) == 403
        assert await post(web, seen) == 200
    rows = await statements.run("SELECT recipient FROM delivery_events")
    assert [row["recipient"] for row in rows] == ["ada@example.com"]


async def test_a_topic_of_somebody_else_is_refused_for_good(tmp_path: Path) -> None:
    """Field report 40: no other proof would make it ours."""
    settings = {
        "SES_ACCESS_KEY_ID": "AKIATESTTESTTEST",
        "SES_SECRET_ACCESS_KEY": "s",
        "SES_REGION": "eu-west-1",
        "SES_TOPIC_ARNS": TOPIC,
        "STORAGE_PATH": str(tmp_path),
    }
    foreign = sign_as_sns(BY_NAME["Delivery"].request(), TopicArn=TOPIC + "-other")
    async with serving(**settings) as web:
        answer = await web.post(
            "/webhooks/email/amazon_ses", content=foreign.body, headers=dict(foreign.headers)
        )
        assert answer.status_code == 403
        bare = replace(foreign, body=b"{}")
        answer = await web.post("/webhooks/email/amazon_ses", content=bare.body)
        assert answer.status_code == 401
