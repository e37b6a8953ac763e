"""The pages of signing in and out."""

from urllib.parse import quote
from uuid import UUID

from arvel.kernel.logging import LogManager

from app.access import second_factor
from app.access.signing_in import sign_in
from app.controllers.address import client_address
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.places import safe
from app.controllers.console.signing_in import throttle
from app.controllers.console.signing_in.refusals import log_refusal
from app.controllers.console.signing_in.standing import hold, let_in, let_out
from app.controllers.console.times import span

WRONG = "That name and password don't belong together. After five tries you have to wait."


async def show(visit: Visit) -> Answer:
    then = safe(visit.query["then"])
    return GoTo(then) if visit.is_signed_in else Show("sign_in", {"then": then})


async def enter(visit: Visit) -> Answer:
    name, then = visit.form["name"].strip()[:254], safe(visit.form["then"])
    address = client_address(visit.request)
    if wait := await throttle.count(name, address):
        log_refusal("sign_in_throttled", address)
        text = f"Too many tries. Wait {span(wait)}, then try again."
        return _again(name, then, text, 429, {"retry-after": str(wait)})
    person = await sign_in(name, visit.form["password"])
    if person is None:
        log_refusal("sign_in_refused", address)
        return _again(name, then, WRONG, 422)
    await throttle.forget(name, address)
    if await second_factor.is_on(UUID(person.id)):
        hold(visit.request, person)
        return GoTo(f"/console/sign-in/code?then={quote(then)}")
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


PAGES = (
    Page("/console/sign-in", show, None),
    Page("/console/sign-in", enter, None, changes=True),
    Page("/console/sign-out", leave, None, changes=True),
)
