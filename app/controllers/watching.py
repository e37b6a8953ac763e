"""What is shown to those who watch: metrics to scrapers, health to whoever sends requests here."""

from collections.abc import Callable
from functools import cached_property

import msgspec
from arvel.http.request import Request
from arvel.http.response import Response
from arvel.kernel import app
from prometheus_client import CONTENT_TYPE_LATEST

from app.controllers.address import client_address
from app.settings import MetricsSettings
from app.worker.health import CRITICAL, DOWN, UP, Servers
from app.worker.metrics import Metrics
from app.worker.scraping import has_token, is_local, may_scrape

NO_STORE = {"cache-control": "no-store"}


class Watching:
    """``metrics`` and ``servers`` make what is asked, once it is."""

    def __init__(self, metrics: Callable[[], Metrics], servers: Callable[[], Servers]) -> None:
        self._make_metrics = metrics
        self._make_servers = servers

    @cached_property
    def _metrics(self) -> Metrics:
        return self._make_metrics()

    @cached_property
    def _servers(self) -> Servers:
        return self._make_servers()

    async def show_metrics(self, request: Request) -> Response:
        """401 to strangers."""
        local = is_local(client_address(request) or "", _names(request))
        if not may_scrape(_authorization(request), MetricsSettings().token, local=local):
            return Response("", 401, headers={"www-authenticate": "Bearer"})
        headers = {**NO_STORE, "content-type": CONTENT_TYPE_LATEST}
        return Response(await self._metrics.render(), 200, headers=headers)

    async def show_health(self, request: Request) -> Response:
        """200 while messages can be taken, else 503.

        One word to strangers; what is down in debug mode, or to whoever brings the token.
        """
        found = await self._servers.look()
        status = UP if all(found[name] == UP for name in CRITICAL) else DOWN
        shown: dict[str, object] = {"status": status}
        if _is_trusted(request):
            shown["checks"] = found
        headers = {**NO_STORE, "content-type": "application/json"}
        return Response(msgspec.json.encode(shown), 200 if status == UP else 503, headers=headers)


def _is_trusted(request: Request) -> bool:
    debug = bool(app().config("app.debug", False))
    return debug or has_token(_authorization(request), MetricsSettings().token)


def _authorization(request: Request) -> str:
    return request.header("authorization") or ""


def _names(request: Request) -> set[str]:
    """The names of its headers, written as usual."""
    return {name.decode("latin-1").title() for name, _ in request.raw.scope["headers"]}
