"""The pooled HTTP client and its one exact word: was anything sent?"""

import asyncio
import datetime
import gzip
import ipaddress
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.transports.contract import LeaseOver, NotSent, Outcome, Unknown
from app.transports.http import Answer, NoAnswer, call, http_client
from app.transports.http.answer import wait_in_seconds
from tests.fakes import twilio_sockets as sockets
from tests.fakes.twilio_given import go
from tests.fakes.twilio_sockets import Connection, Script, deaf_server, raw_server
from tests.fakes.waiting import patience


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with http_client(connections=10, connect_timeout=0.5, total_timeout=1.0) as client:
        yield client


async def post(client: httpx.AsyncClient, url: str, total: float = 1.0) -> Answer:
    request = client.build_request("POST", url, data={"To": "+15005550009"})
    return await call(client, request, provider="Twilio", total=total, go=go)


async def outcome_of_post(client: httpx.AsyncClient, url: str, total: float = 1.0) -> Outcome:
    with pytest.raises(NoAnswer) as caught:
        await post(client, url, total)
    return caught.value.outcome


# nothing was sent


async def test_unresolvable_host_is_not_sent(client: httpx.AsyncClient) -> None:
    outcome = await outcome_of_post(client, "http://nowhere.invalid/")
    assert isinstance(outcome, NotSent)
    assert outcome.code == "dns"


async def test_refused_connection_is_not_sent(client: httpx.AsyncClient) -> None:
    async with raw_server(sockets.answer_all) as server:
        url = server.url
    outcome = await outcome_of_post(client, url)
    assert isinstance(outcome, NotSent)
    assert outcome.code == "refused"


async def test_server_that_never_accepts_is_not_sent(client: httpx.AsyncClient) -> None:
    async with deaf_server() as url:
        outcome = await outcome_of_post(client, url, total=5.0)
    assert isinstance(outcome, NotSent)
    assert outcome.code == "connect_timeout"


async def test_server_that_speaks_no_tls_is_not_sent(client: httpx.AsyncClient) -> None:
    async def greet(connection: Connection) -> None:
        await connection.write(b"220 mail.example.com ESMTP\r\n")

    async with raw_server(greet) as server:
        outcome = await outcome_of_post(client, server.url.replace("http://", "https://"))
    assert isinstance(outcome, NotSent)
    assert outcome.code == "tls"


async def test_tls_handshake_that_hangs_is_not_sent(client: httpx.AsyncClient) -> None:
    async def hang(connection: Connection) -> None:
        await asyncio.Event().wait()

    async with raw_server(hang) as server:
        outcome = await outcome_of_post(client, server.url.replace("http://", "https://"), 5.0)
    assert isinstance(outcome, NotSent)


async def test_certificate_of_a_stranger_is_not_sent(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    async with raw_server(sockets.answer_all, tls=self_signed(tmp_path)) as server:
        outcome = await outcome_of_post(client, server.url)
        assert server.requests == []
    assert isinstance(outcome, NotSent)
    assert outcome.code == "tls"


async def test_trusted_certificate_is_answered(tmp_path: Path) -> None:
    context = self_signed(tmp_path)
    trust = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    async with (
        raw_server(sockets.answer_all, tls=context) as server,
        http_client(connections=1, trust=trust) as client,
    ):
        assert (await post(client, server.url)).status == 201


async def test_no_free_connection_is_not_sent() -> None:
    async with (
        raw_server(sockets.never_answer) as server,
        http_client(connections=1, connect_timeout=0.2, total_timeout=3) as client,
    ):
        first = asyncio.create_task(outcome_of_post(client, server.url, total=1.0))
        await until(lambda: len(server.requests) == 1)
        assert isinstance(await outcome_of_post(client, server.url), NotSent)
        assert isinstance(await first, Unknown)
        assert len(server.requests) == 1


async def test_go_is_asked_when_the_connection_stands_and_before_a_byte() -> None:
    rest: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def answer_then_listen(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(sockets.OK)
        rest.set_result(await connection.reader.read())

    def refuse() -> None:
        raise LeaseOver

    async with (
        raw_server(answer_then_listen) as server,
        http_client(connections=1) as client,
    ):
        await post(client, server.url)  # from here on the pool has a connection
        request = client.build_request("POST", server.url, content=b"x")
        with pytest.raises(LeaseOver):
            await call(client, request, provider="Twilio", total=1, go=refuse)
        assert await asyncio.wait_for(rest, patience(5)) == b""


async def test_go_is_not_asked_when_no_connection_is_made(client: httpx.AsyncClient) -> None:
    async with raw_server(sockets.answer_all) as server:
        url = server.url
    request = client.build_request("POST", url, content=b"x")
    with pytest.raises(NoAnswer):
        await call(client, request, provider="Twilio", total=1, go=lambda: pytest.fail("asked"))


# it may have been sent


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (sockets.close_at_once, "connection_lost"),
        (sockets.close_after_reading, "connection_lost"),
        (sockets.reset_after_reading, "connection_lost"),
        (sockets.never_answer, "no_answer"),
        (sockets.speak_garbage, "not_http"),
    ],
)
async def test_lost_answer_is_unknown(client: httpx.AsyncClient, script: Script, code: str) -> None:
    async with raw_server(script) as server:
        outcome = await outcome_of_post(client, server.url)
        assert len(server.requests) <= 1
    assert isinstance(outcome, Unknown)
    assert outcome.code == code


@pytest.mark.parametrize(
    "script",
    [sockets.send_half_a_body, sockets.reset_in_the_body, sockets.stall_in_the_body],
)
async def test_answer_whose_body_is_lost_keeps_its_status(
    client: httpx.AsyncClient, script: Script
) -> None:
    async with raw_server(script) as server:
        answer = await post(client, server.url)
    assert (answer.status, answer.body) == (201, None)


async def test_answer_that_trickles_ends_with_the_whole_call(client: httpx.AsyncClient) -> None:
    async with raw_server(sockets.trickle) as server:
        started = asyncio.get_running_loop().time()
        answer = await post(client, server.url, total=0.5)
        assert asyncio.get_running_loop().time() - started < 2
    assert (answer.status, answer.body) == (201, None)


async def test_post_on_a_dying_connection_is_never_repeated(client: httpx.AsyncClient) -> None:
    async with raw_server(sockets.answer_once_then_drop) as server:
        assert (await post(client, server.url)).status == 201
        outcome = await outcome_of_post(client, server.url)
        assert len(server.requests) == 2
        assert server.connections == 1
    assert isinstance(outcome, Unknown)


async def test_put_with_go_is_not_repeated_although_http_would_allow_it(
    client: httpx.AsyncClient,
) -> None:
    async with raw_server(sockets.answer_once_then_drop) as server:
        await post(client, server.url)
        request = client.build_request("PUT", server.url, content=b"x")
        with pytest.raises(NoAnswer) as caught:
            await call(client, request, provider="Twilio", total=1, go=go)
        assert [line.split()[0] for line in server.requests] == [b"POST", b"PUT"]
    assert isinstance(caught.value.outcome, Unknown)


async def test_connection_that_was_closed_while_idle_is_replaced(
    client: httpx.AsyncClient,
) -> None:
    async with raw_server(sockets.answer_once_then_close) as server:
        await post(client, server.url)
        await asyncio.sleep(0.05)  # idle, as between two messages
        assert (await post(client, server.url)).status == 201
        assert server.connections == 2
        assert len(server.requests) == 2


async def test_cancelled_call_leaves_no_connection(client: httpx.AsyncClient) -> None:
    closed: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def listen(connection: Connection) -> None:
        await connection.read_request()
        closed.set_result(await connection.reader.read())

    async with raw_server(listen) as server:
        task = asyncio.create_task(post(client, server.url, total=10))
        await until(lambda: len(server.requests) == 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.wait_for(closed, patience(5)) == b""


# bounds and manners


async def test_gzip_bomb_is_cut() -> None:
    packed = gzip.compress(b" " * 50_000_000)
    head = b"HTTP/1.1 201 Created\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"

    async def bomb(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(head % len(packed) + packed)

    async with raw_server(bomb) as server, http_client(connections=1) as client:
        answer = await post(client, server.url)
    assert (answer.status, answer.body) == (201, None)


@pytest.mark.parametrize(
    ("encoding", "body", "read"),
    [
        ("gzip", gzip.compress(b"hello"), b"hello"),
        ("gzip", gzip.compress(b"hello")[:-9], None),
        ("gzip", b"not gzip at all", None),
        ("br", b"hello", None),
        ("identity", b"x" * 1_000_000, b"x" * 1_000_000),
        ("identity", b"x" * 1_000_001, None),
    ],
)
async def test_body_is_read_whole_or_not_at_all(
    client: httpx.AsyncClient, encoding: str, body: bytes, read: bytes | None
) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: {len(body)}"

    async def answer(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(head.encode() + b"\r\n\r\n" + body)

    async with raw_server(answer) as server:
        assert (await post(client, server.url)).body == read


async def test_redirects_are_not_followed(client: httpx.AsyncClient) -> None:
    async def redirect(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(b"HTTP/1.1 307 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")

    async with raw_server(redirect) as server:
        assert (await post(client, server.url)).status == 307
        assert len(server.requests) == 1


async def test_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    async with raw_server(sockets.answer_all) as server, http_client(connections=1) as client:
        assert (await post(client, server.url)).status == 201


async def test_configured_proxy_is_used() -> None:
    async with (
        raw_server(sockets.answer_all) as proxy,
        http_client(connections=1, proxy=proxy.url) as client,
    ):
        assert (await post(client, "http://api.example.com/x")).status == 201
        assert proxy.requests == [b"POST http://api.example.com/x HTTP/1.1"]


async def test_request_names_us_and_its_url_is_not_logged(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    heads: list[bytes] = []

    async def keep(connection: Connection) -> None:
        heads.append(await connection.read_request())
        await connection.write(sockets.OK)

    with caplog.at_level(logging.INFO):
        async with raw_server(keep) as server:
            await post(client, server.url + "?To=%2B15005550009")
    assert b"user-agent: pillarbox\r\n" in heads[0].lower()
    assert "15005550009" not in caplog.text


async def test_more_than_a_hundred_connections_are_used_at_once() -> None:
    async with (
        raw_server(sockets.never_answer) as server,
        http_client(connections=150) as client,
    ):
        posts = [
            asyncio.create_task(outcome_of_post(client, server.url, total=20)) for _ in range(150)
        ]
        await until(lambda: len(server.requests) == 150)
        for task in posts:
            task.cancel()
        await asyncio.gather(*posts, return_exceptions=True)
    assert server.connections == 150


async def test_client_that_writes_round_the_boundary_is_refused() -> None:
    async with raw_server(sockets.answer_all) as server, httpx.AsyncClient() as stranger:
        with pytest.raises(RuntimeError, match="boundary"):
            await post(stranger, server.url)


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        ("7", 7.0),
        ("1.5", 1.5),
        ("0", 0.0),
        ("-3", 0.0),
        ("999999", 3600.0),
        ("Tue, 01 Dec 2026 10:00:30 GMT", 30.0),
        ("Tue, 01 Dec 2026 09:00:00 GMT", 0.0),
        ("inf", None),
        ("nan", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read_in_both_forms(retry_after: str | None, seconds: float | None) -> None:
    assert wait_in_seconds(retry_after, "Tue, 01 Dec 2026 10:00:00 GMT") == seconds


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(patience(10)):
        while not reached():  # noqa: ASYNC110 - a server's counters announce nothing
            await asyncio.sleep(0.005)


def self_signed(folder: Path) -> ssl.SSLContext:
    """A server's context with a certificate for 127.0.0.1 that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context
