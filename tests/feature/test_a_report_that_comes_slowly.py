"""A report that doesn't arrive in time is asked for again, in each provider's words."""

from collections.abc import AsyncIterator

import pytest

from app.controllers.webhooks import raw
from tests.fakes.raw_http import head, speak
from tests.fakes.web import serving
from tests.providers.report_suite import LOGIN

pytestmark = pytest.mark.usefixtures("database_url", "redis_url")

SETTINGS = {
    "BREVO_API_KEY": "k",
    "BREVO_WEBHOOK_PASSWORD": LOGIN.password,
    "POSTMARK_SERVER_TOKEN": "t",
    "POSTMARK_WEBHOOK_PASSWORD": LOGIN.password,
}


async def nothing() -> AsyncIterator[bytes]:
    if False:
        yield b""


async def test_a_report_that_does_not_come_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Brevo forgets a report after any answer but 2xx and 429."""
    monkeypatch.setattr(raw, "PATIENCE", 0.3)
    async with serving(**SETTINGS) as web:
        for name, status in (("brevo", 429), ("postmark", 503)):
            asked = head("POST", f"/webhooks/email/{name}", {"content-length": "50"})
            said = await speak(web.url, asked, nothing(), to_the_end=False)
            assert said.status == status
