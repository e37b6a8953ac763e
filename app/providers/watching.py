"""Shows in the web process what is seen from outside: ``/metrics`` and ``/health``."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from arvel.http.request import Request
from arvel.http.response import Response
from arvel.kernel import Application
from arvel.routing import RouteDefinition, Router

from app.controllers.watching import Watching
from app.worker.health import Servers

type Handler = Callable[[Request], Awaitable[Response]]


def watch(app: Application) -> None:
    """For the server that is built around ``app`` after this."""
    migrations = Path(app.base_path) / "database" / "migrations"
    watching = Watching(
        metrics=lambda: app.make("metrics"),
        servers=lambda: Servers(app.make("queue"), migrations),
    )
    router = cast("Router", app.make("router"))
    _put(router, "/metrics", watching.show_metrics)
    _put(router, "/health", watching.show_health)


def _put(router: Router, path: str, handler: Handler) -> RouteDefinition:
    """In place of the framework's own, which shows strangers more."""
    for route in router.routes():
        if route.path == path:
            route.handler = cast("Any", handler)
            return route.hidden()
    return router.get(path, handler).hidden()
