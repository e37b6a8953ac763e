"""Scaleway shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.scaleway.server import FakeScaleway
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.scaleway.provider import ScalewayProvider


class TestScaleway(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[ScalewayProvider]:
        async with FakeScaleway(key=SECRET, tls=server_tls()) as scaleway:
            yield ScalewayProvider(scaleway)
