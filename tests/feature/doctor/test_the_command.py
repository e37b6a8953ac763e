"""``arvel dispatch:doctor`` as somebody types it: whatever runs, and whatever is configured."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fakes.command_line import type_in
from tests.feature.configuration.test_boot_refuses import NOWHERE, WRONG
from tests.unit.configuration.given import KEY, PRODUCTION


@pytest.fixture
def environment(database_url: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    return {
        "APP_KEY": KEY,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "STORAGE_PATH": str(tmp_path),
    }


async def test_warnings_alone_are_exit_code_0(environment: dict[str, str]) -> None:
    said = await type_in("dispatch:doctor", environment=environment)
    assert said.code == 0, said.all
    *lines, last = said.out.splitlines()
    assert last.startswith("0 wrong, ")
    assert {line.split()[0] for line in lines} == {"ok", "warning"}
    assert any(line.startswith("ok       postgresql ") for line in lines)
    assert said.err == ""


async def test_programs_get_the_same_as_json(environment: dict[str, str]) -> None:
    said = await type_in("dispatch:doctor", "--json", environment=environment)
    report = json.loads(said.out)
    assert report["verdict"] == "warning"
    assert {"check": "workers", "verdict": "warning"}.items() <= next(
        f for f in report["findings"] if f["check"] == "workers"
    ).items()


async def test_something_wrong_is_exit_code_1(environment: dict[str, str]) -> None:
    said = await type_in(
        "dispatch:doctor", environment={**environment, **PRODUCTION, "DISPATCH_LEASE": "50"}
    )
    assert said.code == 1
    assert "wrong    configuration" in said.out


async def test_it_runs_without_any_server_and_with_a_configuration_that_is_all_wrong() -> None:
    said = await type_in("dispatch:doctor", environment=WRONG)
    assert said.code == 1
    assert "SMTP_PORT: must be a whole number" in said.out
    assert said.out.count("nothing listens there") == 2
    assert said.err == ""


@pytest.mark.parametrize("arguments", [("dispatch:doctor",), ("dispatch:doctor", "--json")])
async def test_no_secret_is_in_what_it_says(
    environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    secrets = {
        "SMTP_HOST": "mail.example.com",
        "MESSAGE_ID_DOMAIN": "example.com",
        "SMTP_USERNAME": "canary-user",
        "SMTP_PASSWORD": "canary-password",
        "TWILIO_ACCOUNT_SID": f"AC{'0' * 32}",
        "TWILIO_AUTH_TOKEN": "canary-token",
        "SANDBOX_WEBHOOK_SECRET": "canary-secret",
        "DISPATCH_ALLOW_REAL": "canary@example.com",
        "SENTRY_DSN": "https://canary@sentry.example.com/1",
    }
    for servers in ({}, NOWHERE):
        said = await type_in(*arguments, environment={**environment, **secrets, **servers})
        assert "canary" not in said.all
        assert KEY not in said.all
        assert str(urlsplit(environment["DATABASE_URL"]).password) not in said.all
