"""Puts our maintenance gate in place of the framework's, which needs its cache to let people in."""

from typing import Any

from arvel.http.maintenance import PreventRequestsDuringMaintenance
from arvel.kernel import Application
from arvel.kernel.bootstrap import serve_lifespan

from app.controllers.maintenance import MaintenanceGate


def use_own_gate(app: Application) -> None:
    """For the server that is built around ``app`` after this."""
    app.instance("http.asgi_builder", _build)


def _build(app: Application) -> Any:
    kernel: Any = app.make("http.kernel_builder")(app)
    kernel.global_middleware = [
        MaintenanceGate() if middleware is PreventRequestsDuringMaintenance else middleware
        for middleware in kernel.global_middleware
    ]
    return kernel.as_asgi(lifespan=serve_lifespan(app))
