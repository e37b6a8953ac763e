"""The environment that the application sees in tests: nothing of the person who runs them."""

import base64
import os
import re
from pathlib import Path

from app.configuration.table.email import EMAIL_PROVIDERS

CONFIG = Path(__file__).resolve().parents[2] / "config"
# These select real servers, see `local.services`.
KEPT = {"DATABASE_URL", "REDIS_URL"}
READ = re.compile(r'env\(\s*"([A-Z0-9_]+)"')


def names_read() -> set[str]:
    """The settings that ``config/`` reads; those of email providers by their table."""
    written = {name for file in CONFIG.glob("*.py") for name in READ.findall(file.read_text())}
    return written | {s.name for one in EMAIL_PROVIDERS for s in one.section.settings}


def prepare() -> None:
    """Forget every setting that the shell or a `.env` file brings, and say that this is a test."""
    for name in names_read() - KEPT:
        os.environ.pop(name, None)
    # Obeyed by python-dotenv, also in processes that tests start.
    os.environ["PYTHON_DOTENV_DISABLED"] = "1"
    os.environ["APP_ENV"] = "testing"
    os.environ["APP_KEY"] = f"base64:{base64.b64encode(os.urandom(32)).decode()}"
