"""A message as its receiver sees it."""

from dataclasses import dataclass
from typing import Any

from arvel.http.response import Response
from msgspec import UNSET

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask
from app.controllers.console.items.pictures import put_in
from app.controllers.console.page import Answer, Page, Visit
from app.transports.sms.alphabet import encode, split

ALONE = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'self'"
    ),
    "x-frame-options": "SAMEORIGIN",
}
"""No script, nothing from elsewhere, no origin: whatever it holds, it is only looked at."""

WHOLE = ["email", "attachments"]


@dataclass(frozen=True, slots=True)
class Texted:
    """An SMS as the network carries it; ``parts`` are its segments."""

    encoding: str
    units: int
    parts: list[str]
    media_url: str


def texted(sms: Any) -> Texted | None:
    """``None`` where there is no SMS, or nothing of it may be seen."""
    if sms in (UNSET, None) or (sms.body is None and sms.media_url is None):
        return None
    body = sms.body or ""
    encoded = encode(body)
    return Texted(encoded.encoding, encoded.units, split(body), sms.media_url or "")


async def show_html(visit: Visit) -> Answer:
    """For a frame of the item's page, and by itself."""
    item = await ask(visit, "queue-items.show", path=visit.path, query={"expand": WHOLE})
    if item.email in (UNSET, None) or not item.email.html:
        raise Problem("not-found", "This message has no HTML, or you may not see it.")
    files: list[Any] = [] if item.attachments is UNSET else item.attachments
    return Response(await put_in(item.email.html, files), headers=ALONE)


async def download(visit: Visit) -> Answer:
    return await ask(visit, "attachments.show", path=visit.path)


PAGES = (
    Page("/console/items/{id}/html", show_html, ("read_queueitem", "read_content")),
    Page("/console/attachments/{id}", download),
)
