"""Postal shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.postal.server import FakePostal
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.postal.provider import PostalProvider


class TestPostal(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[PostalProvider]:
        async with FakePostal(key=SECRET, tls=server_tls()) as postal:
            yield PostalProvider(postal)
