"""Somebody sets up a second factor for themselves, or takes it away."""

from typing import cast

from arvel.kernel import app
from arvel.kernel.logging import LogManager

from app.access import second_factor
from app.access.signing_in import sign_in
from app.controllers.address import client_address
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.signing_in import throttle
from app.controllers.console.times import span
from app.models.queries import second_factors as queries

ADDRESS = "/console/second-factor"
WRONG_PASSWORD = "That is not your password."  # noqa: S105 - a sentence
WRONG_CODE = "That code doesn't fit. Wait for the next one, or look whether the clocks are right."
IN_USE = "There is one in use. Take it away first."
ON = "From now on signing in asks for a code, too."
OFF = "Signing in asks for your password alone."


async def show(visit: Visit) -> Answer:
    return Show("second_factor", {"factor": await queries.find(visit.caller.user_id)})


async def begin(visit: Visit) -> Answer:
    if wrong := await _doubt(visit):
        return GoTo(ADDRESS, wrong, trouble=True)
    issuer = cast("str", app().config("app.name"))
    made = await second_factor.begin(visit.caller.user_id, visit.caller.actor, issuer)
    if made is None:
        return GoTo(ADDRESS, IN_USE, trouble=True)
    return Show("second_factor", {"factor": None, "made": made})


async def confirm(visit: Visit) -> Answer:
    user_id, code = visit.caller.user_id, "".join(visit.form["code"].split())
    if wait := await throttle.count_code(str(user_id)):
        return GoTo(ADDRESS, _too_many(wait), trouble=True)
    if not await second_factor.confirm(user_id, code):
        return GoTo(ADDRESS, WRONG_CODE, trouble=True)
    await throttle.is_new(str(user_id), code)
    await throttle.forget_codes(str(user_id))
    LogManager().channel("console").info("second_factor_set_up", user_id=str(user_id))
    return GoTo(ADDRESS, ON)


async def remove(visit: Visit) -> Answer:
    if wrong := await _doubt(visit):
        return GoTo(ADDRESS, wrong, trouble=True)
    await queries.remove(visit.caller.user_id)
    user_id = str(visit.caller.user_id)
    LogManager().channel("console").info("second_factor_removed", user_id=user_id)
    return GoTo(ADDRESS, OFF)


async def _doubt(visit: Visit) -> str:
    """What speaks against that it is they who sit there: a session may have been left open."""
    name, address = visit.caller.actor, client_address(visit.request)
    if wait := await throttle.count(name, address):
        return _too_many(wait)
    person = await sign_in(name, visit.form["password"])
    if person is None or person.id != str(visit.caller.user_id):
        return WRONG_PASSWORD
    await throttle.forget(name, address)
    return ""


def _too_many(wait: int) -> str:
    return f"Too many tries. Wait {span(wait)}, then try again."


PAGES = (
    Page(ADDRESS, show),
    Page(ADDRESS, begin, changes=True),
    Page(f"{ADDRESS}/confirm", confirm, changes=True),
    Page(f"{ADDRESS}/remove", remove, changes=True),
)
