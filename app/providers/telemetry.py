"""Turns telemetry on where it is asked for; else nothing of OpenTelemetry is even imported."""

import asyncio
from collections.abc import Iterable
from typing import Any, cast, override

from arvel import telemetry as arvel
from arvel.kernel import ServiceProvider
from arvel.routing import Router

from app.settings import TelemetrySettings

LAST_WORDS = 3.0
"""Seconds for what is left to send at the end, and for one try to send it before."""


class TelemetryProvider(ServiceProvider):
    """In place of arvel's own start, which would send whatever libraries put into spans."""

    @override
    def boot(self) -> None:
        settings = TelemetrySettings()
        if not settings.on:
            return
        from app.events.discreet_traces import Discreet

        limit_what_travels()
        started = arvel.configure(
            _asked_of_arvel(settings), exporter=Discreet(_exporter(settings), self._routes)
        )
        if settings.sentry_dsn:
            tell_sentry(settings.sentry_dsn)
        self.app.terminating(lambda: _end(started))

    def _routes(self) -> Iterable[str]:
        router = cast("Router", self.app.make("router"))
        return [route.path for route in router.routes()]


def limit_what_travels() -> None:
    """Jobs carry the name of their trace and nothing that a stranger's request sent along."""
    from opentelemetry.propagate import set_global_textmap
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    set_global_textmap(TraceContextTextMapPropagator())


def _asked_of_arvel(settings: TelemetrySettings) -> arvel.TelemetrySettings:
    return arvel.TelemetrySettings(
        enabled=True,
        service_name=settings.service_name,
        exporter=settings.exporter,
        endpoint=settings.endpoint,
        metrics=not settings.prometheus,
        # Lines of the log go where the log goes.
        logs=False,
    )


def _exporter(settings: TelemetrySettings) -> Any:
    if settings.exporter != "otlp":
        return arvel._build_exporter(  # pyright: ignore[reportPrivateUsage]
            _asked_of_arvel(settings)
        )
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(endpoint=settings.endpoint, timeout=LAST_WORDS)


def tell_sentry(dsn: str) -> None:
    """The kind and place of errors, and nothing of what was being worked on."""
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_enabling_integrations=False,
        trace_propagation_targets=[],
        before_send=cast("Any", _without_texts),
    )


def _without_texts(event: dict[str, Any], _hint: object) -> dict[str, Any]:
    for error in event.get("exception", {}).get("values", []):
        error["value"] = ""
    for part in ("request", "logentry", "message", "extra", "breadcrumbs"):
        event.pop(part, None)
    return event


async def _end(started: arvel.Telemetry | None) -> None:
    """What a collector that is away would not take in time is lost."""
    providers = [started.tracer_provider, started.meter_provider] if started is not None else []
    ends = [asyncio.to_thread(one.shutdown) for one in providers if one is not None]
    await asyncio.wait_for(asyncio.gather(*ends, return_exceptions=True), LAST_WORDS + 1)
