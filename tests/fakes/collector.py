"""A collector of traces: takes OTLP over HTTP, and shows what it was sent."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from local.ports import HOST


@dataclass
class Collector:
    """``raw`` is every byte that came, of traces and of metrics."""

    url: str = ""
    raw: bytes = b""
    spans: list[Span] = field(default_factory=list[Span])

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]

    def one(self, name: str, **facts: str) -> Span:
        """The only span of this name that says so."""
        (found,) = [s for s in self.named(name) if facts.items() <= facts_of(s).items()]
        return found

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to report here, soon."""
        return {
            "OTEL_ENABLED": "true",
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"{self.url}/v1/traces",
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }

    async def take(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.raw += body
        if request.path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.spans += [s for scope in resource.scope_spans for s in scope.spans]
        return web.Response()


def facts_of(span: Span) -> dict[str, str]:
    """Attributes, by the last part of their names."""
    return {a.key.rpartition(".")[2]: a.value.string_value for a in span.attributes}


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    collector = Collector()
    application = web.Application()
    application.router.add_post("/v1/{signal}", collector.take)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, HOST, 0)
    await site.start()
    collector.url = f"http://{HOST}:{runner.addresses[0][1]}"
    try:
        yield collector
    finally:
        await runner.cleanup()
