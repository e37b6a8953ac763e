"""MailerSend shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.mailersend import FakeMailersend
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.mailersend.provider import MailersendProvider


class TestMailersend(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[MailersendProvider]:
        async with FakeMailersend(token=SECRET, tls=server_tls()) as mailersend:
            yield MailersendProvider(mailersend)
