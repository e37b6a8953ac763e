"""Builds the application: the one place that names its folders, routes and providers."""

import sys
from pathlib import Path

from arvel.kernel import Application

from bootstrap.application import application_for
from bootstrap.logs import send_to_stderr

BASE_PATH = Path(__file__).resolve().parent.parent


def create_app() -> Application:
    """The configured application, not yet booted."""
    send_to_stderr()
    return (
        application_for(sys.argv)
        .configure(str(BASE_PATH))
        .with_config_dir(BASE_PATH / "config")
        .with_providers(BASE_PATH / "bootstrap" / "providers.py")
        .with_routing(
            web=BASE_PATH / "routes" / "web.py",
            api=BASE_PATH / "routes" / "api.py",
            webhooks=BASE_PATH / "routes" / "webhooks.py",
            console=BASE_PATH / "routes" / "console.py",
        )
        .create()
    )
