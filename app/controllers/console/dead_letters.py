"""Dead letters, grouped by their cause: the biggest first, the items beside them."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask, try_asking
from app.controllers.console.forms import Form
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.words import plural
from app.items.error_texts import TEXTS
from app.models.queries import dead_letters as queries
from app.models.queries.dead_letters import Cause
from app.models.statements import Row
from app.workflow import ErrorKind

NEEDED = ("manage_failed_jobs",)
ADDRESS = "/console/dead-letters"
SHOWN = 25
AT_ONCE = 200
DEEDS = {"retry": ("Retry", "retried"), "discard": ("Discard", "discarded")}
UNKNOWN = "confirmation-needed"


@dataclass(frozen=True, slots=True)
class Group:
    cause: Cause
    title: str
    row: Row
    letters: list[Row]

    @property
    def address(self) -> str:
        return f"{ADDRESS}/cause?{urlencode(self.cause._asdict())}"


async def show(_visit: Visit) -> Answer:
    groups = [await _group(row) for row in await queries.group_by_cause()]
    return Show("dead_letters", {"groups": groups, "shown": SHOWN, "most": queries.MOST})


async def _group(row: Row) -> Group:
    cause = Cause(row["job"], row["kind"], row["provider"], row["code"])
    letters = await queries.list_of_cause(cause, SHOWN)
    return Group(cause, name(cause), row, list(letters))


def name(cause: Cause) -> str:
    """The cause in words."""
    job = cause.job.rpartition(":")[2]
    why = TEXTS[ErrorKind(cause.kind)] if cause.kind else f"The job {job} failed."
    by = f" {cause.provider} {cause.code}".rstrip() if cause.code else ""
    return f"{why}{f' ({by.strip()})' if by else ''}"


async def ask_about(visit: Visit) -> Answer:
    """The page before all of a cause are retried or discarded."""
    cause, deed = _cause(visit.query), _deed(visit.query)
    letters = await queries.list_of_cause(cause, AT_ONCE + 1)
    data = {"cause": cause, "title": name(cause), "deed": deed, "words": DEEDS[deed]}
    return Show("dead_letters_of_cause", {**data, "count": len(letters), "most": AT_ONCE})


async def do_all(visit: Visit) -> Answer:
    cause, deed = _cause(visit.form), _deed(visit.form)
    letters = await queries.list_of_cause(cause, AT_ONCE)
    answers = [await _do(visit, deed, str(letter["id"])) for letter in letters]
    refusals = [answer for answer in answers if isinstance(answer, Problem)]
    text = f"{plural(len(answers) - len(refusals), 'letter')} {DEEDS[deed][1]}."
    if refusals:
        text += f" {plural(len(refusals), 'letter')} stayed: {refusals[0].detail}"
    return GoTo(ADDRESS, text, trouble=bool(refusals))


async def do_one(visit: Visit) -> Answer:
    deed = _deed(visit.form)
    done = await _do(visit, deed, visit.path["id"])
    if isinstance(done, Problem):
        return GoTo(ADDRESS, done.detail, trouble=True)
    return GoTo(ADDRESS, f"The letter is {DEEDS[deed][1]}.")


async def _do(visit: Visit, deed: str, key: str) -> Any | Problem:
    if deed == "discard":
        return await try_asking(visit, "failed-jobs.discard", path={"id": key})
    body = {"confirm": visit.form["confirm"] == "yes"}
    return await try_asking(visit, "failed-jobs.retry", path={"id": key}, body=body)


async def reveal(visit: Visit) -> Answer:
    """A letter's own address leads to the page of them all."""
    await ask(visit, "failed-jobs.show", path=visit.path)
    return GoTo(f"{ADDRESS}#letter-{visit.path['id']}")


def _cause(form: Form) -> Cause:
    if form["kind"] not in ("", *ErrorKind):
        raise Problem("malformed", "There is no such cause.")
    return Cause(form["job"], form["kind"], form["provider"], form["code"])


def _deed(form: Form) -> str:
    if form["deed"] not in DEEDS:
        raise Problem("malformed", "There is no such action.")
    return form["deed"]


PAGES = (
    Page(ADDRESS, show, NEEDED),
    Page(f"{ADDRESS}/cause", ask_about, NEEDED),
    Page(f"{ADDRESS}/cause", do_all, NEEDED, changes=True),
    Page(f"{ADDRESS}/{{id}}", reveal, NEEDED),
    Page(f"{ADDRESS}/{{id}}", do_one, NEEDED, changes=True),
)
