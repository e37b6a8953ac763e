"""SparkPost shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.sparkpost.server import FakeSparkpost
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.sparkpost.provider import SparkpostProvider


class TestSparkpost(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[SparkpostProvider]:
        async with FakeSparkpost(key=SECRET, tls=server_tls()) as sparkpost:
            yield SparkpostProvider(sparkpost)
