"""Builds the application: the one place that names its folders, routes and providers."""

import sys
from pathlib import Path

from arvel.kernel import Application

from bootstrap.application import Worker, application_for
from bootstrap.logs import send_to_stderr

BASE_PATH = Path(__file__).resolve().parent.parent
ROUTES = ("web", "api", "webhooks", "console")


def create_app() -> Application:
    """The configured application, not yet booted."""
    send_to_stderr()
    kind = application_for(sys.argv)
    builder = (
        kind.configure(str(BASE_PATH))
        .with_config_dir(BASE_PATH / "config")
        .with_providers(BASE_PATH / "bootstrap" / "providers.py")
    )
    if not issubclass(kind, Worker):
        builder = builder.with_routing(
            **{name: BASE_PATH / "routes" / f"{name}.py" for name in ROUTES}
        )
    return builder.create()
