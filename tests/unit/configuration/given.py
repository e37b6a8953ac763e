"""A configuration as it comes from an environment of which every name is known."""

import base64
import os
import runpy
from collections.abc import Mapping
from typing import Any
from unittest import mock

from app.configuration import Given, Problem, Severity, find_problems
from tests.services.environment import CONFIG

KEY = f"base64:{base64.b64encode(bytes(32)).decode()}"
"""So that a missing key is not what a test sees."""

PRODUCTION = {
    "APP_ENV": "production",
    "SMTP_HOST": "mail.example.com",
    "MESSAGE_ID_DOMAIN": "example.com",
    "TWILIO_ACCOUNT_SID": f"AC{'0' * 32}",
    "TWILIO_AUTH_TOKEN": "token",
    "PUBLIC_URL": "https://hooks.example.com",
}
"""Nothing in it deserves a word."""


def given(**environment: str) -> Given:
    """What ``config/`` makes of this environment, which has nothing else but a key."""
    return exactly({"APP_KEY": KEY, **environment})


def exactly(environment: dict[str, str]) -> Given:
    with mock.patch.dict(os.environ, environment, clear=True):
        files = {f.stem: runpy.run_path(str(f)) for f in CONFIG.glob("[!_]*.py")}
    return Given(environment, lambda key: look_up(files, key))


def look_up(files: Mapping[str, Any], key: str) -> Any:
    file, *parts = key.split(".")
    found: Any = files[file]["config"]
    for part in parts:
        found = found[part]
    return found


def problems(**environment: str) -> list[Problem]:
    return find_problems(given(**environment))


def refused(**environment: str) -> dict[str, str]:
    """By setting, what stops a process that finds this environment."""
    return said(Severity.WRONG, **environment)


def warned(**environment: str) -> dict[str, str]:
    """By setting, what only deserves a look."""
    return said(Severity.WARNING, **environment)


def said(severity: Severity, **environment: str) -> dict[str, str]:
    return {p.setting: p.text for p in problems(**environment) if p.severity is severity}
