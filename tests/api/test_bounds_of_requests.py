"""Requests that are too much of something: cut, refused, and forgotten."""

import asyncio
import gzip
import json
import resource
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.controllers.api import reading
from app.controllers.api.values import are_few
from tests.fakes.access import bearer, put_token
from tests.fakes.raw_http import head, speak
from tests.fakes.web import Web

PLACE = "/api/tokens"
GIGABYTE = 1_000_000_000
CHUNK = b"10000\r\n" + b" " * 65_536 + b"\r\n"
JSON_PART = "application/json"
JSON = {"content-type": JSON_PART}
WISH: dict[str, Any] = {"name": "shop", "abilities": ["send"]}


def memory() -> int:
    """The most bytes that this process, and so the server in it, ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def chunks(most: int) -> AsyncIterator[bytes]:
    for _ in range(most // len(CHUNK)):
        yield CHUNK


async def nothing() -> AsyncIterator[bytes]:
    if False:
        yield b""


async def post(api: Web, content: bytes, **headers: str) -> tuple[int, str]:
    answer = await api.client.post(PLACE, content=content, headers={**JSON, **headers})
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(answer.content) < 20_000
    return answer.status_code, answer.json()["type"].rpartition("-")[2]


@pytest.mark.parametrize("authorised", [True, False])
async def test_a_gigabyte_in_chunks_is_cut_at_the_limit(web: Web, authorised: bool) -> None:
    token = bearer(await put_token()) if authorised else {}
    headers = {**token, **JSON, "transfer-encoding": "chunked"}
    before = memory()
    said = await speak(web.url, head("POST", PLACE, headers), chunks(GIGABYTE))
    assert said.status == (413 if authorised else 401)
    assert said.sent < 50_000_000
    assert memory() - before < 50_000_000
    assert (await web.client.get("/livez")).status_code == 200


async def test_a_length_beyond_the_limit_is_refused_before_the_body_comes(web: Web) -> None:
    headers = {**bearer(await put_token()), **JSON, "content-length": str(GIGABYTE)}
    said = await speak(web.url, head("POST", PLACE, headers), nothing())
    assert said.status == 413
    assert "connection: close" in said.text
    assert "application/problem+json" in said.text


async def test_a_body_that_does_not_come_is_not_waited_for(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PATIENCE", 0.3)
    headers = {**bearer(await put_token()), **JSON, "content-length": "50"}
    said = await speak(web.url, head("POST", PLACE, headers), nothing(), to_the_end=False)
    assert said.status == 408
    assert "connection: close" in said.text


async def test_a_body_that_trickles_is_not_waited_for(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PATIENCE", 0.3)
    headers = {**bearer(await put_token()), **JSON, "content-length": "50000"}
    said = await speak(web.url, head("POST", PLACE, headers), trickle(), to_the_end=False)
    assert said.status == 408
    assert said.sent < 100


async def trickle() -> AsyncIterator[bytes]:
    for _ in range(200):
        yield b" "
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("depth", [1_000, 10_000, 49_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
async def test_depth_is_no_way_in(api: Web, depth: int, opening: str, closing: str) -> None:
    nested = (opening * depth + "1" + closing * depth).encode()[:99_000]
    assert (await post(api, nested))[0] in (400, 422)
    inside = json.dumps({**WISH, "networks": "?"}).replace('"?"', opening * 10_000)
    assert (await post(api, inside.encode()))[0] == 400


@pytest.mark.parametrize(
    "number", ["1" * 90_000, "-" + "9" * 5_000, "1e400", "1e99999999", "0." + "1" * 90_000, "1.5"]
)
async def test_no_number_is_too_big_to_be_refused(api: Web, number: str) -> None:
    body = json.dumps({**WISH, "hourly_cap": 0}).replace(": 0}", f": {number}}}")
    assert (await post(api, body.encode()))[0] in (400, 422)


async def test_a_hundred_thousand_fields_are_refused_in_few_words(api: Web) -> None:
    fields = ",".join(f'"{n:x}":1' for n in range(9_000))
    assert await post(api, f"{{{fields}}}".encode()) == (422, "invalid")


async def test_a_hundred_thousand_values_are_refused_in_few_words(api: Web) -> None:
    body = json.dumps({**WISH, "networks": ["x"] * 19_000}).encode()
    assert await post(api, body) == (422, "invalid")


@pytest.mark.parametrize(
    "many",
    [
        b'{"to":[' + b"[]," * 400_000 + b"[]]}",
        b"{" + b",".join(b'"%x":1' % n for n in range(200_000)) + b"}",
        b'{"text":"' + b'\\"' * 400_000 + b'","to":[' + b'"",' * 200_000 + b'""]}',
    ],
    ids=["lists", "fields", "texts"],
)
@pytest.mark.parametrize("place", ["/api/emails", "/api/sms", "/api/messages/batch"])
async def test_no_body_keeps_others_waiting_by_the_number_of_its_values(
    api: Web, place: str, many: bytes
) -> None:
    answer = await api.client.post(place, content=many, headers=JSON)
    assert (answer.status_code, answer.json()["type"].rpartition("#")[2]) == (
        413,
        "problem-too-large",
    )
    form = await api.client.post("/api/emails", files={"message": (None, many, JSON_PART)})
    assert form.status_code == 413


async def test_neither_files_nor_texts_nor_the_largest_batch_are_too_many_values() -> None:
    people = [{"name": "Anna", "email": "anna@example.com"}] * 50
    message = {"method": "email", "sender": people[0], "to": people, "subject": "A", "text": "B"}
    assert are_few(json.dumps({"messages": [message] * 500}).encode())
    assert are_few(json.dumps({"text": 'a, "b", [c] \\" {d}\n' * 100_000}).encode())
    assert are_few(b'{"attachments":[{"content":"' + b"A" * 10_000_000 + b'"}]}')


async def test_a_hundred_thousand_parameters_are_refused(api: Web) -> None:
    query = "&".join(f"p{n}=1" for n in range(1_000))
    answer = await api.client.get(f"/api/workflow?{query}")
    assert answer.status_code == 400
    long = "&".join(f"p{n}=1" for n in range(100_000))
    said = await speak(api.url, head("GET", f"/api/workflow?{long}", {}), nothing())
    assert said.status in (0, 400, 401, 414, 431)
    assert (await api.client.get("/livez")).status_code == 200


async def test_headers_without_end_are_not_kept(web: Web) -> None:
    before = memory()
    said = await speak(web.url, "GET /api/workflow HTTP/1.1\r\nhost: x\r\nx: ", letters())
    assert said.status in (0, 400, 431)
    assert said.sent < 50_000_000
    assert memory() - before < 50_000_000
    assert (await web.client.get("/livez")).status_code == 200


async def letters() -> AsyncIterator[bytes]:
    for _ in range(2_000):
        yield b"x" * 65_536


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "deflate", "br", "identity, gzip"])
async def test_nothing_compressed_is_opened(api: Web, encoding: str) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    status, _ = await post(api, bomb, **{"content-encoding": encoding})
    assert status == 415


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/xml", "multipart/form-data; boundary=x", ""]
)
async def test_only_json_is_read(api: Web, media_type: str) -> None:
    status, _ = await post(api, b"{}", **{"content-type": media_type})
    assert status == 415


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe{}", b"\0", b"NaN", b'{"a":1}{}'])
async def test_what_is_not_json_is_said_to_be_none(api: Web, body: bytes) -> None:
    assert (await post(api, body))[0] == 400


@pytest.mark.parametrize("name", ['"\\ud800"', '"\\u0000"', '"\\r\\nx: y"', '["shop"]'])
async def test_no_text_is_taken_that_can_not_be_kept(api: Web, name: str) -> None:
    body = json.dumps(WISH).replace('"shop"', name)
    assert (await post(api, body.encode()))[0] in (400, 422)


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"x"'])
async def test_what_is_no_object_is_refused(api: Web, body: bytes) -> None:
    assert (await post(api, body))[0] == 422


@pytest.mark.parametrize(
    "query", ["limit=", "limit=%00", "limit=1&limit=2", "limit=9" * 30, "%ff=1"]
)
async def test_odd_parameters_are_refused(api: Web, query: str) -> None:
    assert (await api.client.get(f"/api/tokens?{query}")).status_code in (400, 422)
