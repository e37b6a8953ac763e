"""Mailgun shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.mailgun import FakeMailgun
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.mailgun.provider import MailgunProvider


class TestMailgun(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[MailgunProvider]:
        async with FakeMailgun(key=SECRET, tls=server_tls()) as mailgun:
            yield MailgunProvider(mailgun)
