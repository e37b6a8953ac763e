"""Each email provider has its settings, its halves, and nothing that the other one doesn't know."""

import pytest

from app.configuration.table.email import EMAIL_PROVIDERS, EmailProvider
from app.providers.email import HALVES
from app.transports.email.api_config import own_fields

COMMON = {
    "WEBHOOK_USER",
    "WEBHOOK_PASSWORD",
    "PREVIOUS_WEBHOOK_USER",
    "PREVIOUS_WEBHOOK_PASSWORD",
    "BASE_URL",
}


@pytest.mark.parametrize("provider", EMAIL_PROVIDERS, ids=lambda one: one.name)
def test_a_setting_is_a_field_and_a_field_is_a_setting(provider: EmailProvider) -> None:
    prefix = provider.config.prefix
    fields = COMMON | {name.upper() for name in own_fields(provider.config)}
    assert {s.name for s in provider.section.settings} == {f"{prefix}_{name}" for name in fields}


@pytest.mark.parametrize("provider", EMAIL_PROVIDERS, ids=lambda one: one.name)
def test_what_is_secret_is_shown_nowhere(provider: EmailProvider) -> None:
    for name in provider.section.secrets:
        field = name.removeprefix(f"{provider.config.prefix}_").lower()
        known = provider.config.__dataclass_fields__.get(field)
        assert known is None or not known.repr


def test_what_can_be_configured_can_be_used() -> None:
    assert HALVES.keys() == {provider.name for provider in EMAIL_PROVIDERS}
