"""Arguments of the commands about transports that can't be used."""

from pathlib import Path
from typing import Any

import pytest

from app.commands.transport_check import TransportCheck
from app.commands.transport_parse import TransportParse
from app.commands.transport_send import TransportSend
from tests.feature.transports.given import run, write

pytestmark = pytest.mark.usefixtures("application")

URL = "https://hooks.example.com/x"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return write(tmp_path, {}, b"{}")


async def test_a_name_that_is_mistyped_is_guessed() -> None:
    for command in (TransportCheck, TransportParse, TransportSend):
        said = await run(command, name="mailgunn")
        assert (said.code, said.out) == (2, "")
        assert "mailgun?" in said.err


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"url": None}, "--url"),
        ({"url": "hooks.example.com"}, "--url"),
        ({"url": "https://[::1"}, "--url"),
        ({"headers": "\0"}, "--headers"),
        ({"headers": "/nowhere"}, "--headers"),
        ({"body": "/nowhere"}, "--body"),
        ({"name": "smtp"}, "smtp"),
    ],
)
async def test_what_is_wrong_is_named(
    files: dict[str, str], wrong: dict[str, Any], word: str
) -> None:
    said = await run(TransportParse, **{"name": "mailgun", "url": URL, **files, **wrong})
    assert (said.code, said.out) == (2, "")
    assert word in said.err


@pytest.mark.parametrize("headers", ["", "[]", "{", '{"a": {}}', '{"a": null}'])
async def test_headers_must_be_names_and_texts(
    files: dict[str, str], headers: str, tmp_path: Path
) -> None:
    files |= write(tmp_path, headers, b"{}")
    said = await run(TransportParse, name="mailgun", url=URL, **files)
    assert (said.code, said.out) == (2, "")
    assert "--headers" in said.err


async def test_a_test_message_needs_a_receiver() -> None:
    assert (await run(TransportSend, name="smtp")).code == 2
