"""The page between a password and the console, for who set up a second factor."""

from uuid import UUID

from arvel.kernel.logging import LogManager

from app.access import second_factor
from app.controllers.address import client_address
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.places import safe
from app.controllers.console.signing_in import throttle
from app.controllers.console.signing_in.refusals import log_refusal
from app.controllers.console.signing_in.standing import held, let_in
from app.controllers.console.times import span

ADDRESS = "/console/sign-in/code"
OVER = "That took too long, or something changed meanwhile. Sign in again."
WRONG = "That code doesn't fit, or was used already. Wait for the next one."


async def show(visit: Visit) -> Answer:
    if await held(visit.request) is None:
        return GoTo("/console/sign-in")
    return Show("sign_in_code", {"then": safe(visit.query["then"])})


async def enter(visit: Visit) -> Answer:
    person = await held(visit.request)
    if person is None:
        return GoTo("/console/sign-in", OVER, trouble=True)
    then, code = safe(visit.form["then"]), "".join(visit.form["code"].split())
    address = client_address(visit.request)
    if wait := await throttle.count_code(person.id):
        log_refusal("sign_in_throttled", address)
        text = f"Too many tries. Wait {span(wait)}, then sign in again."
        told = {"then": then, "wrong": text}
        return Show("sign_in_code", told, 429, {"retry-after": str(wait)})
    fits = await throttle.is_new(person.id, code)
    if not fits or not await second_factor.check(UUID(person.id), code):
        log_refusal("sign_in_refused", address)
        return Show("sign_in_code", {"then": then, "wrong": WRONG}, 422)
    await throttle.forget_codes(person.id)
    await let_in(visit.request, person)
    LogManager().channel("console").info("signed_in", user_id=person.id)
    return GoTo(then)


PAGES = (
    Page(ADDRESS, show, None),
    Page(ADDRESS, enter, None, changes=True),
)
