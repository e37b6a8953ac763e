"""Mailjet shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.mailjet import FakeMailjet
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.mailjet.provider import MailjetProvider


class TestMailjet(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[MailjetProvider]:
        async with FakeMailjet(secret=SECRET, tls=server_tls()) as mailjet:
            yield MailjetProvider(mailjet)
