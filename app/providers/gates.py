"""Puts our gates in the places of the framework's."""

from typing import Any

from arvel.http.maintenance import PreventRequestsDuringMaintenance
from arvel.http.middleware import EncryptCookies, SessionSettings, ValidatePostSize
from arvel.kernel import Application
from arvel.kernel.bootstrap import serve_lifespan

from app.controllers.console.provenance import Provenance
from app.controllers.console.sessions import Sessions
from app.controllers.gates import MaintenanceGate, SizeGate


def use_own_gates(app: Application) -> None:
    """For the server that is built around ``app`` after this."""
    app.instance("http.asgi_builder", _build)


def _build(app: Application) -> Any:
    kernel: Any = app.make("http.kernel_builder")(app)
    ours = {PreventRequestsDuringMaintenance: MaintenanceGate(), ValidatePostSize: SizeGate()}
    kernel.global_middleware = [ours.get(gate, gate) for gate in kernel.global_middleware]
    shared = SessionSettings().driver == "redis"
    sessions = Sessions(cache=app.make("cache") if shared else None)
    kernel.groups["web"] = [EncryptCookies, sessions, Provenance]
    return kernel.as_asgi(lifespan=serve_lifespan(app))
