"""Serves a worker's metrics to Prometheus, at ``/`` and ``/metrics``."""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from app.settings import MetricsSettings
from app.worker.names import log
from app.worker.refused import WorkerRefused
from app.worker.scraping import is_local, may_scrape

type Render = Callable[[], Awaitable[bytes]]
"""The metrics of this moment, in Prometheus' text format."""

PATHS = ("/", "/metrics")


async def render_registry() -> bytes:
    """Whatever is in prometheus-client's default registry."""
    return generate_latest()


@contextlib.asynccontextmanager
async def serving(host: str, port: int, render: Render) -> AsyncGenerator[None]:
    """While the block runs; on the worker's own loop, so that a hung one does not answer.

    With ``METRICS_TOKEN`` to whoever brings it, without it to this machine.

    Raises:
        WorkerRefused: the port can't be had.
    """

    token = MetricsSettings().token

    async def answer(request: web.Request) -> web.Response:
        local = is_local(request.remote or "", request.headers)
        if not may_scrape(request.headers.get("Authorization", ""), token, local=local):
            return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        return web.Response(body=await render(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    application = web.Application()
    for path in PATHS:
        application.router.add_get(path, answer)
    runner = web.AppRunner(application, access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        log().info("metrics_served", host=host, port=port)
        yield
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port, shutdown_timeout=1.0).start()
    except OSError as error:
        raise WorkerRefused(
            f"Metrics can't be served on {host}:{port} ({error.strerror}). Name another port by"
            " --metrics-port (WORKER_METRICS_PORT)."
        ) from None
