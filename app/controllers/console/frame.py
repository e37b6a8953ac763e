"""What stands around every page: the way to the others, who is here, and what is wrong now."""

from dataclasses import dataclass
from typing import cast

from arvel.http.flash import FlashBag
from arvel.kernel import app

from app.controllers.console.page import Visit
from app.models.queries import channels
from app.settings import AppSettings

THEMES = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of the navigation, for who has what its page needs."""

    title: str
    address: str
    needs: tuple[str, ...]


PLACES = (
    Place("Overview", "/console/overview", ("list_queueitem",)),
    Place("Queue", "/console/queue", ("list_queueitem",)),
    Place("Sent", "/console/sent", ("list_queueitem",)),
    Place("Dead letters", "/console/dead-letters", ("manage_failed_jobs",)),
    Place("Reports", "/console/events", ("list_queueitem", "read_queueitem")),
    Place("Providers", "/console/providers", ("manage_channels",)),
    Place("Compose", "/console/compose", ("send",)),
    Place("Audit", "/console/audit", ("list_queueitem", "read_queueitem")),
)


async def surround(visit: Visit) -> dict[str, object]:
    """What the layout of a page shows."""
    bag = FlashBag(visit.request.session)
    return {
        "visit": visit,
        "may": visit.caller.may,
        "places": [place for place in PLACES if visit.caller.may(*place.needs)],
        "here": visit.request.path(),
        "environment": AppSettings().env,
        "production": AppSettings().production,
        "app_name": cast("str", app().config("app.name")),
        "theme": theme_of(visit),
        "themes": THEMES,
        "notice": bag.get("notice"),
        "trouble": bag.get("trouble"),
        "paused": await channels.find_paused() if visit.is_signed_in else [],
    }


def theme_of(visit: Visit) -> str:
    chosen = visit.request.cookie("theme") or ""
    return chosen if chosen in THEMES else "auto"
