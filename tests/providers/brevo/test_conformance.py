"""Brevo shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.brevo.server import FakeBrevo
from tests.providers.api_account import SECRET, server_tls
from tests.providers.brevo.provider import BrevoProvider
from tests.providers.conformance import EmailConformance


class TestBrevo(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[BrevoProvider]:
        async with FakeBrevo(key=SECRET, tls=server_tls()) as brevo:
            yield BrevoProvider(brevo)
