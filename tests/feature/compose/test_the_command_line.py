"""dispatch:email, dispatch:sms, dispatch:list and dispatch:show, as a person uses them."""

import asyncio
import io
import json
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from arvel.console import ConsoleOutput

from app.commands.answers import Answer
from app.commands.dispatch_email import DispatchEmail
from app.commands.dispatch_list import DispatchList
from app.commands.dispatch_show import DispatchShow
from app.commands.dispatch_sms import DispatchSms
from app.items import Inline
from app.models import statements
from app.models.email_message import EmailMessage
from app.models.queue_item import QueueItem
from local import Services
from tests.fakes.items import put_attempt, put_item
from tests.feature.compose.conftest import Published
from tests.feature.compose.given import email, sms

ROOT = Path(__file__).resolve().parents[3]
SOME_ID = "01a22f12-3456-7890-8bcd-ef0123456789"


class Said(NamedTuple):
    code: int
    out: str
    err: str


async def run(command: type[Answer], **given: Any) -> Said:
    """What a command says and its exit code, in this process."""
    out, err = io.StringIO(), io.StringIO()
    instance = command(ConsoleOutput(out, err))
    instance.bind_parsed(given)
    return Said(await instance.handle(), out.getvalue(), err.getvalue())


async def arvel(*arguments: str, stdin: str = "") -> Said:
    """The same in a process of its own, with its arguments as they are typed."""
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("arvel"),
        *arguments,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(stdin.encode())
    return Said(process.returncode or 0, out.decode(), err.decode())


async def test_an_email_is_queued_listed_and_shown(
    published: Published, services: Services, tmp_path: Path
) -> None:
    (tmp_path / "invoice.pdf").write_bytes(b"%PDF-1.7 ...")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    queued = await arvel(
        "dispatch:email",
        *("--from", "Shop <shop@example.com>", "--to", "anna@example.com"),
        *("--to", "Bob <bob@faß.de>", "--reply-to", "help@example.com", "--subject", "Hello"),
        *("--text", "-", "--html", "<img src=cid:logo>", "--priority", "high"),
        *("--attach", str(tmp_path / "invoice.pdf"), "--inline", f"logo={tmp_path / 'logo.png'}"),
        *("--header", "X-Order: 7", "--tag", "a", "--send-at", "2100-01-01T00:00:00Z"),
        stdin="the secret body",
    )
    assert queued.code == 0, queued.err
    anna, bob = await QueueItem.order_by("queued").get()
    assert str(anna.id) in queued.out
    assert bob.receiver_name == "Bob"
    assert bob.receiver_address == "bob@xn--fa-hia.de"
    message = await EmailMessage.find(anna.email_id)
    assert message is not None
    assert message.text == "the secret body"

    listed = await arvel("dispatch:list", "--state", "queued")
    assert str(anna.id) in listed.out
    shown = await arvel("dispatch:show", str(anna.id))
    assert "invoice.pdf, application/pdf, 12 bytes" in shown.out
    assert "logo.png, image/png, 8 bytes, inline as logo" in shown.out
    assert "It is sent at 2100-01-01 00:00:00 UTC." in shown.out
    assert "secret" not in shown.out
    as_json = await arvel("dispatch:show", str(anna.id), "--json")
    assert json.loads(as_json.out)["item"]["tags"] == ["a"]


async def test_an_sms_is_queued(published: Published) -> None:
    said = await run(
        DispatchSms,
        sender="+15550100009",
        to="Anna <+15550100001>",
        body="Hi",
        media_url="https://cdn.example.com/a.png",
    )
    assert said.code == 0, said.err
    [item] = await QueueItem.all()
    assert published.ids == [item.id]
    assert "Anna <+15550100001>" in said.out


async def test_what_is_kept_from_a_real_receiver_is_said(
    published: Published, application: Any
) -> None:
    """Field report 84."""
    application.make("config").set("dispatch.sms", "twilio")
    said = await run(DispatchSms, sender="+15550100009", to="+15550100001", body="Hi")
    assert "sandbox" in said.out
    assert "DISPATCH_ALLOW_REAL" in said.out


async def test_a_mistake_is_named_by_its_option(published: Published, tmp_path: Path) -> None:
    said = await run(
        DispatchEmail,
        to=["anna@example.com", "nobody"],
        subject="a\nb",
        text="Text",
        attach=[str(tmp_path / "gone.pdf")],
        send_at="2100-01-01T00:00:00",
        priority="urgent",
    )
    assert said.code == 2
    assert said.out == ""
    assert [line.partition(":")[0] for line in said.err.splitlines()] == [
        "--from",
        "--to no. 2",
        "--subject",
        "--attach gone.pdf",
        "--send-at",
        "--priority",
    ]
    assert published.due == []


@pytest.mark.parametrize(
    ("command", "given", "words"),
    [
        (DispatchEmail, {"send_at": "soon"}, "--send-at must be a time"),
        (DispatchEmail, {"header": ["X"]}, "--header must be"),
        (DispatchEmail, {"inline": ["x"]}, "--inline must be"),
        (DispatchEmail, {"text": "-", "html": "-"}, "Only one of --text and --html"),
        (DispatchSms, {"expires_at": "soon"}, "--expires-at must be a time"),
        (DispatchSms, {"to": "555", "sender": "+15550100009", "body": "x"}, "--to: Is not a num"),
        (DispatchList, {"state": "gone"}, "--state must be one of: queued, sending"),
        (DispatchList, {"method": "fax"}, "--method must be one of: email, sms"),
        (DispatchList, {"limit": "0"}, "--limit must be a number from 1 to 500"),
        (DispatchList, {"limit": "501"}, "--limit must be a number from 1 to 500"),
        (DispatchList, {"limit": "ten"}, "--limit must be a number from 1 to 500"),
        (DispatchList, {"before": "first"}, "--before must be an item's id"),
        (DispatchShow, {"item": "first"}, "ITEM must be an item's id"),
    ],
)
async def test_arguments_that_can_not_be_used_are_exit_code_2(
    published: Published, command: type[Answer], given: dict[str, Any], words: str
) -> None:
    said = await run(command, **given)
    assert said.code == 2
    assert words in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("command", "given"), [(DispatchShow, {"item": SOME_ID}), (DispatchList, {"before": SOME_ID})]
)
async def test_an_item_that_does_not_exist_is_exit_code_1(
    published: Published, command: type[Answer], given: dict[str, Any]
) -> None:
    said = await run(command, **given)
    assert said.code == 1
    assert "no such item" in said.err
    assert said.out == ""


async def test_an_empty_list_says_how_to_fill_it(published: Published) -> None:
    said = await run(DispatchList)
    assert said.code == 0
    assert "dispatch:email" in said.out


def ids_in(said: Said, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    lines = said.out.splitlines()
    return [item for line in lines for item in ids if line.startswith(str(item))]


async def test_a_list_is_read_page_by_page_newest_first(published: Published) -> None:
    items = [*await email(to=[{"email": f"{n}@example.com"} for n in range(4)]), await sms()]
    ids = sorted((item.id for item in items[:4]), reverse=True)
    ids = [items[4].id, *ids]
    first = await run(DispatchList, limit="2")
    assert ids_in(first, ids) == ids[:2]
    assert f"--before {ids[1]}" in first.out
    second = await run(DispatchList, limit="2", before=str(ids[1]))
    assert ids_in(second, ids) == ids[2:4]
    last = await run(DispatchList, limit="2", before=str(ids[3]))
    assert ids_in(last, ids) == ids[4:]
    assert "--before" not in last.out


async def test_a_list_is_narrowed_by_state_and_method(published: Published) -> None:
    failed = await put_item("errored", method="sms")
    waiting = await put_item("queued", method="sms")
    mail = await put_item("errored", method="email")
    ids = [failed.id, waiting.id, mail.id]
    assert ids_in(await run(DispatchList, state="errored", method="sms"), ids) == [failed.id]
    assert set(ids_in(await run(DispatchList, method="sms"), ids)) == {failed.id, waiting.id}


@pytest.fixture
async def eventful(published: Published) -> uuid.UUID:
    """An item with two accepted attempts, a report, a change of state and a dead letter."""
    item = await put_item("errored", error_kind="retries_exhausted", attempts=2, result="Refused.")
    await statements.run(
        "UPDATE attempts SET outcome = 'accepted', message_id = 'm2', code = '250' WHERE id = $1",
        item.attempt,
    )
    first = uuid.uuid7()
    await put_attempt(item.id, first, number=1, outcome="unknown", may_have_been_sent=True)
    await statements.run("UPDATE attempts SET report = 'delivered' WHERE id = $1", first)
    await statements.run(
        "INSERT INTO delivery_events (id, provider, event_key, attempt_id, item_id, type, report,"
        " status, text, verdict, raw) VALUES ($1, 'sandbox', 'k', $2, $3, 'delivered',"
        " 'delivered', 'delivered', 'Handed \x1b[31mover', 'late', '{\"body\": \"raw secret\"}')",
        uuid.uuid7(),
        first,
        item.id,
    )
    await statements.run(
        "INSERT INTO item_history (item_id, attempt_id, transition, from_state, to_state, actor,"
        " text) VALUES ($1, $2, 'error', 'sending', 'errored', 'worker', 'Given up.')",
        item.id,
        item.attempt,
    )
    payload = {"job": "app.jobs.send_message:SendMessage", "state": {"item_id": str(item.id)}}
    await statements.run(
        "INSERT INTO failed_jobs (id, queue, payload, exception, failed_at)"
        " VALUES ($1, 'default', $2, 'Undeliverable: Given up.', now())",
        uuid.uuid7(),
        json.dumps(payload),
    )
    return item.id


async def test_an_item_is_shown_with_all_that_happened_to_it(eventful: uuid.UUID) -> None:
    said = await run(DispatchShow, item=str(eventful))
    assert said.out.startswith(f"ERRORED  {eventful}\n")
    for words in (
        "Cause     retries_exhausted",
        "Result    Refused.",
        "2 attempts are known as accepted: the receiver may have a second copy.",
        "Next      Nothing: retry it or cancel it.",
        "error: sending → errored by worker. Given up.",
        "sandbox reports delivered (delivered): late. Handed �[31mover",
        "no. 1,",
        "unknown, reported delivered, may have been sent",
        "no. 2,",
        "m2, accepted 250",
        "Undeliverable: Given up.",
    ):
        assert words in said.out
    assert "secret" not in said.out


async def test_programs_get_the_same_as_json(eventful: uuid.UUID) -> None:
    said = await run(DispatchShow, item=str(eventful), json=True)
    story = json.loads(said.out)
    assert story["item"]["state"] == "errored"
    assert story["copies"] == 2
    assert [attempt["number"] for attempt in story["attempts"]] == [1, 2]
    assert story["events"][0]["verdict"] == "late"
    assert story["history"][0]["transition"] == "error"
    assert len(story["dead_letters"]) == 1
    assert "secret" not in said.out


async def test_a_body_is_shown_nowhere(published: Published) -> None:
    [item] = await email(
        text="secret", html="<b>secret", attachments={"a.txt": Inline(b"secret", "a")}
    )
    text = await sms(body="secret")
    for shown in (item.id, text.id):
        for as_json in (False, True):
            said = await run(DispatchShow, item=str(shown), json=as_json)
            assert said.code == 0
            assert "secret" not in said.out
