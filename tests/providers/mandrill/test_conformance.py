"""Mandrill shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.mandrill.server import FakeMandrill
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.mandrill.provider import MandrillProvider


class TestMandrill(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[MandrillProvider]:
        async with FakeMandrill(key=SECRET, tls=server_tls()) as mandrill:
            yield MandrillProvider(mandrill)
