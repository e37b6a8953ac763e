"""Resend shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.resend import FakeResend
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.resend.provider import ResendProvider


class TestResend(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[ResendProvider]:
        async with FakeResend(key=SECRET, tls=server_tls()) as resend:
            yield ResendProvider(resend)
