"""What libraries put into spans stays here, unless it is a word or an id of ours."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from app.events.discreet_traces import Discreet

CANARY = "canary@example.com"


@pytest.fixture
def shown() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracer(shown: InMemorySpanExporter) -> Iterator[Tracer]:
    provider = TracerProvider()
    exporter = Discreet(shown, lambda: ["/api/people/{name}", "/"])
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider.get_tracer("tests")
    provider.shutdown()


def test_texts_of_exceptions_stay_here(tracer: Tracer, shown: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError), tracer.start_as_current_span("job"):  # noqa: PT011
        raise ValueError(CANARY)
    [span] = shown.get_finished_spans()
    assert not span.status.is_ok
    assert CANARY not in span.to_json()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (f"/api/people/{CANARY}", "GET /api/people/{name}"),
        (f"/{CANARY}", "GET /…"),
        ("/", "GET /"),
    ],
)
def test_of_a_path_only_its_route_is_shown(
    path: str, name: str, tracer: Tracer, shown: InMemorySpanExporter
) -> None:
    facts = {"http.request.method": "GET", "url.path": path}
    tracer.start_span(f"GET {path}", attributes=facts).end()
    [span] = shown.get_finished_spans()
    assert span.name == name
    assert CANARY not in span.to_json()


def test_only_facts_that_are_named_pass(tracer: Tracer, shown: InMemorySpanExporter) -> None:
    facts = {"url.full": CANARY, "db.statement": CANARY, "pillarbox.item_id": "1", "app.x": "2"}
    tracer.start_span("db SELECT", attributes=facts).end()
    [span] = shown.get_finished_spans()
    assert dict(span.attributes or {}) == {"pillarbox.item_id": "1", "app.x": "2"}


def test_questions_of_watchers_are_not_shown(tracer: Tracer, shown: InMemorySpanExporter) -> None:
    tracer.start_span("GET /livez", attributes={"url.path": "/livez"}).end()
    assert not shown.get_finished_spans()
