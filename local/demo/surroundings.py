"""The environment that the demonstration's processes run in: a sandbox with short clocks."""

import base64
import os
from collections.abc import Mapping

from app.configuration.names import OURS, VDQ
from app.configuration.table import SETTINGS
from local import Services

SILENCE_S = 15.0
"""Seconds after which a message that nobody reports on counts as unconfirmed."""


def without_settings(present: Mapping[str, str]) -> dict[str, str]:
    """What a person's shell has in its environment beside settings of Pillarbox."""
    return {
        name: value
        for name, value in present.items()
        if name not in SETTINGS and not name.startswith((*OURS, VDQ))
    }


def environment(services: Services, port: int, storage: str) -> dict[str, str]:
    """Nothing of the person's own settings, so that no real account is ever used."""
    hours = str(SILENCE_S / 3600)
    return {
        **services.environment,
        "PYTHON_DOTENV_DISABLED": "1",
        "APP_ENV": "local",
        "APP_KEY": f"base64:{base64.b64encode(os.urandom(32)).decode()}",
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        "STORAGE_PATH": storage,
        "EMAIL_CHANNEL": "sandbox",
        "SMS_CHANNEL": "sandbox",
        "SMS_TIMEOUT_HOURS": hours,
        "EMAIL_TIMEOUT_HOURS": hours,
        "DISPATCH_TIMEOUT_EVERY": "1",
        "DISPATCH_SWEEP_EVERY": "5",
        "SANDBOX_REPORT_DELAY": "1",
    }
