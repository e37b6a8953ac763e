"""SMTP shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.smtp_server import MailServer
from tests.providers.conformance import EmailConformance
from tests.providers.smtp_provider import PASSWORD, USERNAME, SmtpProvider


class TestSmtp(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[SmtpProvider]:
        async with MailServer(username=USERNAME, password=PASSWORD) as server:
            yield SmtpProvider(server)
