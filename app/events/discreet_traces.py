"""What of a span may leave this process: words of ours and ids, whatever else is in it.

Libraries put texts of exceptions, paths and statements into spans, and those quote addresses,
contents and secrets. So nothing passes that is not named here.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import override

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status

PASS = frozenset(
    {
        *("http.request.method", "http.response.status_code"),
        *("messaging.system", "messaging.operation", "messaging.destination.name"),
        *("code.namespace", "code.function"),
        *("db.system", "cache.operation", "cache.hit"),
    }
)
OURS = ("pillarbox.", "app.")
"""``app.`` is for what an application traces itself, and answers for."""

PATH = "url.path"
ROUTE = "http.route"
UNKNOWN = "/…"
UNSEEN = frozenset({"/livez", "/health", "/metrics"})
"""Asked so often that they would hide all else."""

PARAMETER = re.compile(r"\\\{[^/]*?\}")

type Routes = Callable[[], Iterable[str]]
"""The paths that this process serves, with their parameters in braces."""


class Discreet(SpanExporter):
    """Hands on to ``exporter`` what may be seen."""

    def __init__(self, exporter: SpanExporter, routes: Routes) -> None:
        self._exporter = exporter
        self._routes = routes
        self._patterns: dict[str, re.Pattern[str]] = {}

    @override
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        shown = [self._show(span) for span in spans if not _is_unseen(span)]
        return self._exporter.export(shown) if shown else SpanExportResult.SUCCESS

    @override
    def shutdown(self) -> None:
        self._exporter.shutdown()

    @override
    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return self._exporter.force_flush(timeout_millis)

    def _show(self, span: ReadableSpan) -> ReadableSpan:
        found = span.attributes or {}
        attributes = {k: v for k, v in found.items() if k in PASS or k.startswith(OURS)}
        name = span.name
        if PATH in found:
            route = self._route(str(found[PATH]))
            attributes[ROUTE] = route
            name = f"{attributes.get('http.request.method', 'HTTP')} {route}"
        return ReadableSpan(
            name,
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=attributes,
            links=span.links,
            kind=span.kind,
            status=Status(span.status.status_code),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )

    def _route(self, path: str) -> str:
        """A path may be anything that a stranger asks for."""
        if not self._patterns:
            self._patterns = {route: _pattern(route) for route in self._routes()}
        patterns = self._patterns.items()
        return next((route for route, fits in patterns if fits.fullmatch(path)), UNKNOWN)


def _is_unseen(span: ReadableSpan) -> bool:
    return (span.attributes or {}).get(PATH) in UNSEEN


def _pattern(route: str) -> re.Pattern[str]:
    return re.compile(PARAMETER.sub("[^/]+", re.escape(route)))
