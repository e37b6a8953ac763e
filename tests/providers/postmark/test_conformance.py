"""Postmark shows what every email transport must show."""

from collections.abc import AsyncIterator
from typing import override

import pytest

from tests.fakes.postmark.server import FakePostmark
from tests.fakes.smtp_certificates import LOOPBACK, certificate_for
from tests.providers.conformance import EmailConformance
from tests.providers.postmark.provider import TOKEN, PostmarkProvider


class TestPostmark(EmailConformance):
    @pytest.fixture
    @override
    async def provider(self) -> AsyncIterator[PostmarkProvider]:
        tls = certificate_for(LOOPBACK).server_context()
        async with FakePostmark(token=TOKEN, tls=tls) as postmark:
            yield PostmarkProvider(postmark)
