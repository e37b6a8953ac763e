"""Who did what, from when to when; and the same for a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable
from datetime import datetime

from arvel.http.response import Response

from app.controllers.api.operating.filters import in_utc
from app.controllers.api.problems import Problem
from app.controllers.console.forms import Form
from app.controllers.console.moments import read_moment
from app.controllers.console.page import Answer, Page, Show, Visit
from app.models.queries import audit as queries
from app.models.queries.audit import WHAT, Wanted
from app.models.statements import Row

NEEDED = ("list_queueitem", "read_queueitem")
ADDRESS = "/console/audit"
MANY, MOST = 100, 10_000
COLUMNS = ("At (UTC)", "Who", "What", "Item", "From", "To", "Text")
HIDDEN = "hidden"
DANGEROUS = re.compile("(^|[,;|\"'\\t\\r\\n ])(?=[=+\\-@\\t\\r＝＋－＠])")
"""Where spreadsheets begin a formula, also when they take something else for a separator."""


async def show(visit: Visit) -> Answer:
    rows = await queries.find(_wanted(visit.query), _before(visit.query), MANY + 1)
    page = rows[:MANY]
    following = ""
    if len(rows) > MANY:
        following = f"{page[-1]['at'].isoformat()} {page[-1]['key']}"
    data = {"rows": page, "next": following, "query": visit.query, "what": WHAT}
    return Show("audit", data)


async def export(visit: Visit) -> Answer:
    rows = await queries.find(_wanted(visit.query), None, MOST)
    headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="audit.csv"',
    }
    return Response(as_csv(rows, with_text=visit.caller.may("read_content")), headers=headers)


def as_csv(rows: Iterable[Row], *, with_text: bool) -> str:
    written = io.StringIO()
    table = csv.writer(written, quoting=csv.QUOTE_ALL)
    table.writerow(COLUMNS)
    for row in rows:
        text = row["text"] if with_text else HIDDEN
        at = f"{row['at']:%Y-%m-%d %H:%M:%S}"
        cells = (row["who"], row["what"], row["item_id"], row["from_state"], row["to_state"], text)
        table.writerow([at, *(harmless(str(cell or "")) for cell in cells)])
    return written.getvalue()


def harmless(text: str) -> str:
    """A cell that no spreadsheet executes, whatever it takes for the beginning of one."""
    return DANGEROUS.sub(r"\1'", text.replace("\r\n", " ").replace("\n", " "))


def _wanted(asked: Form) -> Wanted:
    if asked["what"] not in ("", *WHAT):
        raise Problem.invalid({"what": ["Is nothing that is written down here."]})
    return Wanted(
        asked["who"].strip() or None,
        asked["what"] or None,
        _moment(asked, "since"),
        _moment(asked, "until"),
    )


def _moment(asked: Form, name: str) -> datetime | None:
    text = read_moment(asked, name)
    try:
        return in_utc(name, datetime.fromisoformat(text)) if text else None
    except ValueError:
        raise Problem.invalid({name: ["Is a time that can't be used."]}) from None


def _before(asked: Form) -> tuple[datetime, str] | None:
    moment, _, key = asked["before"].partition(" ")
    if not key:
        return None
    try:
        return in_utc("before", datetime.fromisoformat(moment)), key
    except ValueError:
        raise Problem.invalid({"before": ["Is no place in this list."]}) from None


PAGES = (
    Page(ADDRESS, show, NEEDED),
    Page(f"{ADDRESS}.csv", export, NEEDED),
)
