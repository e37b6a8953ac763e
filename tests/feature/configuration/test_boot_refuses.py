"""A process with a wrong configuration says all that is wrong, and starts nothing."""

from typing import Any

import pytest
from arvel.kernel.bootstrap import lifespan

from app.providers.configuration import ConfigurationRefused
from local.ports import free_port
from tests.fakes.command_line import type_in
from tests.unit.configuration.given import KEY

NOWHERE = {
    "DATABASE_URL": "postgresql://user:canary-database@127.0.0.1:1/x",
    "REDIS_URL": "redis://:canary-redis@127.0.0.1:1/0",
}
WRONG = {
    **NOWHERE,
    "APP_ENV": "production",
    "APP_KEY": "canary-key",
    "SMTP_HOST": "mail.example.com",
    "SMTP_PASSWORD": "canary-password",
    "SMTP_PORT": "canary-port",
    "DISPATCH_LEASE": "50",
    "VDQ_TWILIO_SMS_TIMEOUT_HOURS": "canary-vdq",
    "OTEL_ENABLED": "canary-otel",
    "OTEL_SERVICE_NAME": "null",
    "SESSION_DRIVER": "canary-session",
}
LINES = [
    "  VDQ_TWILIO_SMS_TIMEOUT_HOURS: is called SMS_TIMEOUT_HOURS here. Rename it.",
    "  SMTP_PORT: must be a whole number from 1 to 65535. Without it: 587.",
    "  SESSION_DRIVER: must be redis or cookie. Without it: redis.",
    "  OTEL_ENABLED: must be true or false.",
]


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WRONG.items():
        monkeypatch.setenv(name, value)


def create() -> Any:
    from bootstrap.app import create_app

    return create_app()


async def test_nothing_boots_with_a_wrong_configuration(wrong: None) -> None:
    with pytest.raises(ConfigurationRefused) as refused:
        async with lifespan(create()):
            pass
    assert set(LINES) <= set(str(refused.value).splitlines())


def test_no_server_is_built_around_a_wrong_configuration(wrong: None) -> None:
    with pytest.raises(ConfigurationRefused):
        create().as_asgi()


async def test_a_command_answers_with_a_line_for_each_thing_that_is_wrong() -> None:
    said = await type_in("queue:work", environment=WRONG)
    assert said.code == 1
    lines = said.err.splitlines()
    assert lines[0] == "Error: Pillarbox does not start with this configuration:"
    assert set(LINES) <= set(lines)
    assert "Traceback" not in said.err
    assert "canary" not in said.all


async def test_the_web_process_answers_so_too() -> None:
    said = await type_in("serve", "--port", str(free_port()), environment=WRONG)
    assert said.code == 1
    assert set(LINES) <= set(said.err.splitlines())
    assert "Traceback" not in said.all
    assert "canary" not in said.all


async def test_help_is_shown_whatever_the_configuration_is() -> None:
    said = await type_in("--help", environment=WRONG)
    assert said.code == 0
    assert "dispatch:doctor" in said.out
    assert "canary" not in said.all


async def test_the_page_of_settings_needs_neither_server_nor_configuration() -> None:
    said = await type_in("dispatch:configuration", environment=WRONG)
    assert said.code == 0
    assert said.out.startswith("# Configuration\n")


async def test_what_only_deserves_a_look_is_logged_and_stops_nothing(
    database_url: str, redis_url: str
) -> None:
    environment = {
        "APP_KEY": KEY,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "EMAIL_CHANEL": "canary",
    }
    said = await type_in("dispatch:list", environment=environment)
    assert said.code == 0, said.err
    assert "Did you mean EMAIL_CHANNEL?" in said.err
    assert "canary" not in said.all
