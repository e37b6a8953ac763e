"""Unisender Go shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.unisender_go.server import FakeUnisenderGo
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.unisender_go.provider import UnisenderGoProvider


class TestUnisenderGo(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[UnisenderGoProvider]:
        async with FakeUnisenderGo(key=SECRET, tls=server_tls()) as unisender_go:
            yield UnisenderGoProvider(unisender_go)
