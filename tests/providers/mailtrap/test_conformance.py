"""Mailtrap shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.mailtrap import FakeMailtrap
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.mailtrap.provider import MailtrapProvider


class TestMailtrap(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[MailtrapProvider]:
        async with FakeMailtrap(token=SECRET, tls=server_tls()) as mailtrap:
            yield MailtrapProvider(mailtrap)
