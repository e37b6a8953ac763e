"""dispatch:user and dispatch:token, as a person uses them."""

import asyncio
import io
import sys
import uuid
from typing import Any, NamedTuple

import pytest
from arvel.console import ConsoleOutput
from arvel.kernel import Application
from arvel.security import resolve_hasher

from app.access.authenticate import authenticate
from app.commands.answers import Answer
from app.commands.dispatch_token import DispatchToken
from app.commands.dispatch_user import DispatchUser
from app.models import statements
from app.models.queries import second_factors
from tests.fakes.command_line import ARVEL, ROOT

PASSWORD = "four words are enough"

pytestmark = pytest.mark.usefixtures("application")


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


async def user(action: str, name: str | None = None, **given: Any) -> Said:
    return await run(DispatchUser, action=action, name=name, **given)


async def token(**given: Any) -> Said:
    return await run(DispatchToken, **given)


async def ada(*permissions: str) -> None:
    await user("add", "ada", permission=list(permissions or ("send", "read_workflow")))


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PASSWORD}\n"))


async def stored_password() -> Any:
    [row] = await statements.run("SELECT password FROM users")
    return row["password"]


async def test_a_user_and_a_token_are_made_by_two_lines(application: Application) -> None:
    added = await arvel("dispatch:user", "add", "ada", "--role=sender", "--password")
    assert (added.code, added.out) == (0, "ada is added.\n")
    issued = await arvel("dispatch:token", "--user=Ada", "--name=shop", "--ability=send")
    assert issued.code == 0
    assert issued.out.startswith("plb_")
    assert "not shown again" in issued.err
    caller = await authenticate(issued.out.strip(), None)
    assert caller is not None
    assert (caller.actor, caller.permissions) == ("ada/shop", {"send"})
    hashed = await stored_password()
    assert hashed.startswith("$argon2id$")
    assert resolve_hasher().check(PASSWORD, hashed)


async def arvel(*arguments: str) -> Said:
    process = await asyncio.create_subprocess_exec(
        ARVEL,
        *arguments,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(f"{PASSWORD}\n".encode())
    return Said(process.returncode or 0, out.decode(), err.decode())


async def test_a_password_can_be_changed_and_is_never_shown(typed: None) -> None:
    await ada()
    assert await stored_password() is None
    said = await user("password", "ada")
    assert said == (0, "ada has a new password.\n", "")
    listed = await user("list")
    assert "yes" in listed.out
    assert "argon2" not in listed.out


async def test_a_short_password_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("secret\n"))
    said = await user("add", "ada", password=True)
    assert said.code == 2
    assert "12 letters" in said.err
    assert "secret" not in said.err
    assert (await user("list")).out.startswith("No users.")


async def test_who_is_disabled_has_no_working_token() -> None:
    await ada()
    text = (await token(user="ada", name="shop", ability=["send"])).out.strip()
    for action, works in (("disable", False), ("enable", True)):
        assert (await user(action, "ADA")).code == 0
        assert (await authenticate(text, None) is not None) == works


async def test_what_is_granted_replaces_what_was() -> None:
    await ada("send", "can_retry")
    text = (await token(user="ada", name="shop", ability=["send", "can_retry"])).out.strip()
    assert (await user("grant", "ada", role=["viewer"], permission=["send"])).code == 0
    caller = await authenticate(text, None)
    assert caller is not None
    assert caller.permissions == {"send"}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"action": "marry", "name": "ada"}, "one of list, add"),
        ({"action": "add"}, "Name the user"),
        ({"action": "add", "name": "a/b"}, "NAME: Must have"),
        ({"action": "add", "name": "cli:x"}, "NAME: Must have"),
        ({"action": "add", "name": "a\u202eb"}, "NAME: Must have"),
        ({"action": "add", "name": "bob", "role": ["king"]}, "--role: Must be one of"),
        ({"action": "add", "name": "bob", "permission": ["all"]}, "--permission: Must be"),
        ({"action": "add", "name": "bob", "email": "bob"}, "--email: Must be an address"),
        ({"action": "add", "name": "ADA"}, "Another user has this name"),
        ({"action": "grant", "name": "ada"}, "Say what to grant"),
    ],
)
async def test_what_no_user_can_be_is_said(given: dict[str, Any], text: str) -> None:
    await ada()
    said = await run(DispatchUser, **given)
    assert said.code == 2
    assert text in said.err


async def test_somebody_unknown_is_not_found() -> None:
    assert (await user("disable", "nobody")).code == 1
    assert (await token(user="nobody", name="x", ability=["send"])).code == 1
    assert (await token(user="nobody", list=True)).code == 1
    assert (await token(revoke=str(uuid.uuid7()))).code == 1


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"user": None}, "--user: Name whose"),
        ({"name": None}, "--name: Must have"),
        ({"ability": []}, "--ability: Name at least one"),
        ({"ability": ["everything"]}, "--ability: 1 of these"),
        ({"ability": ["can_cancel"]}, "--ability: The owner has no can_cancel"),
        ({"role": "administrator"}, "--ability: The owner has no"),
        ({"role": "king"}, "--role must be one of"),
        ({"expires": "never"}, "--expires must be a time"),
        ({"expires": "400d"}, "--expires: Must be in the future"),
        ({"expires": "2000-01-01T00:00:00Z"}, "--expires: Must be in the future"),
        ({"expires": "2090-01-01T00:00:00"}, "--expires: Must be days"),
        ({"network": ["10.0.0.0/33"]}, "--network: Each must be"),
        ({"sms_prefix": ["49"]}, "--sms-prefix: Must be"),
        ({"hourly_cap": "0"}, "--hourly-cap: Must be"),
        ({"daily_cap": "9" * 5000}, "--daily-cap: Must be"),
        ({"max_receivers": "-1"}, "--max-receivers: Must be"),
        ({"revoke": "shop"}, "--revoke: Must be a token's id"),
    ],
)
async def test_what_no_token_can_be_is_said(given: dict[str, Any], text: str) -> None:
    await ada()
    said = await token(**{"user": "ada", "name": "shop", "ability": ["send"], **given})
    assert (said.code, said.out) == (2, "")
    assert text in said.err


async def test_bounds_are_those_of_the_command_line() -> None:
    await ada()
    said = await token(
        user="ada",
        name="shop",
        role="sender",
        expires="30d",
        network=["10.1.2.3/8"],
        sender=["@Shop.example"],
        sms_prefix=["+49"],
        hourly_cap="5",
        daily_cap="50",
        max_receivers="2",
    )
    caller = await authenticate(said.out.strip(), "10.9.9.9")
    assert caller is not None
    assert caller.bounds.senders == ("@shop.example",)
    assert caller.bounds.sms_prefixes == ("+49",)
    assert (caller.bounds.hourly_cap, caller.bounds.daily_cap) == (5, 50)
    assert caller.bounds.max_receivers == 2
    assert await authenticate(said.out.strip(), "11.0.0.1") is None


async def test_tokens_are_listed_without_their_secret_and_revoked() -> None:
    await ada()
    text = (await token(user="ada", name="shop", ability=["send"])).out.strip()
    listed = (await token(list=True)).out
    assert text[:16] in listed
    assert text not in listed
    key = listed.splitlines()[2].split()[0]
    assert (await token(revoke=key)).out == "Revoked.\n"
    assert await authenticate(text, None) is None


@pytest.mark.parametrize("action", ["add", "grant", "disable", "enable", "password"])
async def test_what_is_no_text_is_refused_in_words(action: str, typed: None) -> None:
    said = await user(action, "ad\udcffa", role=["viewer"])
    assert (said.code, said.out) == (2, "")
    assert said.err.strip() == "Something on the command line is not valid UTF-8."


async def test_no_option_takes_what_is_no_text(typed: None) -> None:
    await ada()
    assert (await token(user="ada", name="x", ability=["send", "\udcff"])).code == 2
    assert (await token(user="ada", name="\udcff", ability=["send"])).code == 2


async def test_a_second_factor_is_taken_away_for_who_lost_it() -> None:
    await ada()
    [row] = await statements.run("SELECT id FROM users")
    await second_factors.keep(row["id"], "secret", ["digest"])
    said = await user("second-factor-off", "ada")
    assert (said.code, said.out) == (0, "ada signs in by the password alone.\n")
    assert await second_factors.find(row["id"]) is None
