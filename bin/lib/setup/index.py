"""The package index that this machine is configured for.

uv does not read pip's configuration, but on many machines it is the only one there is.
"""

from __future__ import annotations

import configparser
import os
from pathlib import Path


def settings() -> dict[str, str]:
    """What uv needs in its environment to use the same index and certificates as pip."""
    found = dict(_certificates())
    if not os.environ.keys() & {"UV_DEFAULT_INDEX", "UV_INDEX_URL"}:
        url = os.environ.get("PIP_INDEX_URL") or _from_pip_files()
        if url:
            found["UV_DEFAULT_INDEX"] = url
    return found


def _certificates() -> dict[str, str]:
    system = Path("/etc/ssl/certs/ca-certificates.crt")
    if "SSL_CERT_FILE" in os.environ or not system.exists():
        return {}
    return {"SSL_CERT_FILE": str(system)}


def _from_pip_files() -> str | None:
    home = Path(os.path.expanduser("~"))
    files = [
        Path("/etc/pip.conf"),
        Path("/etc/xdg/pip/pip.conf"),
        home / ".pip/pip.conf",
        home / ".config/pip/pip.conf",
        Path(os.environ.get("PIP_CONFIG_FILE", os.devnull)),
    ]
    parser = configparser.RawConfigParser(strict=False)
    for file in files:
        try:
            parser.read(file)
        except (OSError, configparser.Error):
            continue
    return parser.get("install", "index-url", fallback=None) or parser.get(
        "global", "index-url", fallback=None
    )
