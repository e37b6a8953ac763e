"""Where somebody begins: at the first page that they may see."""

from app.controllers.console.frame import PLACES
from app.controllers.console.page import Answer, GoTo, Page, Visit


async def begin(visit: Visit) -> Answer:
    allowed = [place.address for place in PLACES if visit.caller.may(*place.needs)]
    return GoTo(allowed[0] if allowed else "/console/help")


PAGES = (Page("/console", begin),)
