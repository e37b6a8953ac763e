"""``arvel transport:check`` as somebody types it, where no server of ours runs."""

import pytest

from app.providers import transports
from app.transports.email.amazon_ses import certificates
from tests.fakes.anything import anything
from tests.fakes.command_line import type_in
from tests.feature.configuration.test_boot_refuses import NOWHERE

KEY = "canary-key"


@pytest.mark.parametrize(("status", "code"), [(200, 0), (401, 1), (500, 3)])
async def test_the_exit_code_says_whether_it_works(status: int, code: int) -> None:
    async with anything(status) as resend:
        account = {"RESEND_API_KEY": KEY, "RESEND_BASE_URL": resend.base_url}
        said = await type_in("transport:check", "resend", environment=NOWHERE | account)

    assert said.code == code, said.all
    assert "Resend was reached" in said.all
    assert KEY not in said.all


async def test_what_is_not_configured_is_told_with_what_is_missing() -> None:
    said = await type_in("transport:check", "mailgun", environment=NOWHERE)
    assert said.code == 1
    assert "MAILGUN_API_KEY" in said.err


async def test_reading_a_report_again_confirms_no_subscription(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Field report 40."""
    fetched: list[str] = []

    async def fetch(url: str) -> bytes:
        fetched.append(url)
        return b"pem"

    monkeypatch.setattr(certificates, "fetch", fetch)
    host = "https://sns.eu-west-1.amazonaws.com"
    assert await transports.fetch_certificate(f"{host}/?Action=ConfirmSubscription&Token=a") == b""
    assert await transports.fetch_certificate(f"{host}/SimpleNotificationService-a.pem") == b"pem"
    assert fetched == [f"{host}/SimpleNotificationService-a.pem"]
