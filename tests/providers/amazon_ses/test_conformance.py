"""Amazon SES shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.amazon_ses import FakeAmazonSes
from tests.providers.amazon_ses.provider import AmazonSesProvider
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance


class TestAmazonSes(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[AmazonSesProvider]:
        async with FakeAmazonSes(secret=SECRET, tls=server_tls()) as ses:
            yield AmazonSesProvider(ses)
