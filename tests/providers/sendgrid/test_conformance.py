"""SendGrid shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.sendgrid import FakeSendgrid
from tests.providers.api_account import SECRET, server_tls
from tests.providers.conformance import EmailConformance
from tests.providers.sendgrid.provider import SendgridProvider


class TestSendgrid(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[SendgridProvider]:
        async with FakeSendgrid(key=SECRET, tls=server_tls()) as sendgrid:
            yield SendgridProvider(sendgrid)
