"""Builds the application: the one place that names its folders, routes and providers."""

import sys
from pathlib import Path

from arvel.kernel import Application

from bootstrap.application import Worker, application_for
from bootstrap.logs import send_to_stderr

FOLDER = Path(__file__).resolve().parent
BASE_PATH = FOLDER.parent
ROUTES = ("web", "assets", "api", "webhooks", "console")


def create_app() -> Application:
    """The configured application, not yet booted."""
    send_to_stderr()
    kind = application_for(sys.argv)
    builder = kind.configure(str(BASE_PATH)).with_config_dir(BASE_PATH / "config")
    if issubclass(kind, Worker):
        return builder.with_providers(FOLDER / "providers_of_workers.py").create()
    return (
        builder.with_providers(FOLDER / "providers.py")
        .with_routing(**{name: BASE_PATH / "routes" / f"{name}.py" for name in ROUTES})
        .create()
    )
