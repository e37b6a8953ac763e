"""The pages of signing in and out."""

from arvel.kernel.logging import LogManager

from app.access.signing_in import sign_in
from app.controllers.address import client_address
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.places import safe
from app.controllers.console.signing_in import throttle
from app.controllers.console.signing_in.standing import let_in, let_out
from app.controllers.console.times import span
from app.controllers.sampled import Sampled

WRONG = "That name and password don't belong together. After five tries you have to wait."

_lines = Sampled(10, seconds=60.0)


async def show(visit: Visit) -> Answer:
    then = safe(visit.query["then"])
    return GoTo(then) if visit.is_signed_in else Show("sign_in", {"then": then})


async def enter(visit: Visit) -> Answer:
    name, then = visit.form["name"].strip()[:254], safe(visit.form["then"])
    address = client_address(visit.request)
    if wait := await throttle.count(name, address):
        _warn("sign_in_throttled", address)
        text = f"Too many tries. Wait {span(wait)}, then try again."
        return _again(name, then, text, 429, {"retry-after": str(wait)})
    person = await sign_in(name, visit.form["password"])
    if person is None:
        _warn("sign_in_refused", address)
        return _again(name, then, WRONG, 422)
    await throttle.forget(name, address)
    await let_in(visit.request, person)
    LogManager().channel("console").info("signed_in", user_id=person.id)
    return GoTo(then)


async def leave(visit: Visit) -> Answer:
    if visit.is_signed_in:
        LogManager().channel("console").info("signed_out", user_id=str(visit.caller.user_id))
    let_out(visit.request)
    return GoTo("/console/sign-in", "You are signed out.")


def _again(
    name: str, then: str, text: str, status: int, headers: dict[str, str] | None = None
) -> Show:
    return Show("sign_in", {"then": then, "name": name, "wrong": text}, status, headers or {})


def _warn(action: str, address: str | None) -> None:
    if _lines.takes(action):
        left_out = _lines.left_out()
        LogManager().channel("console").warning(action, client=address, left_out=left_out)


PAGES = (
    Page("/console/sign-in", show, None),
    Page("/console/sign-in", enter, None, changes=True),
    Page("/console/sign-out", leave, None, changes=True),
)
