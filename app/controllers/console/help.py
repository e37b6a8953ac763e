"""What can be done without a mouse, and what the words mean."""

from app.controllers.console.page import Answer, Page, Show, Visit
from app.controllers.console.words import STATES

KEYS = {
    "/": "Search",
    "j": "The next row",
    "k": "The row before",
    "Enter": "Open the row",
    "r": "Retry the item",
    "c": "Cancel the item",
    "?": "This page",
}


async def show(_visit: Visit) -> Answer:
    return Show("help", {"keys": KEYS, "states": STATES})


PAGES = (Page("/console/help", show),)
