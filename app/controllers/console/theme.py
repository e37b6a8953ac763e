"""Light, dark, or as the reader's system has it."""

from arvel.http.response import Response

from app.controllers.console.frame import THEMES
from app.controllers.console.page import Answer, Page, Visit
from app.controllers.console.places import safe

A_YEAR = 365 * 24 * 60


async def choose(visit: Visit) -> Answer:
    theme = visit.form["theme"] if visit.form["theme"] in THEMES else THEMES[0]
    answer = Response(b"", 303, headers={"location": safe(visit.form["then"])})
    return answer.with_cookie("theme", theme, minutes=A_YEAR)


PAGES = (Page("/console/theme", choose, None, changes=True),)
