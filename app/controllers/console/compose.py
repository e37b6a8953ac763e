"""Writing a message by hand: what it would be, where it would go, and sending it."""

import uuid
from datetime import datetime
from typing import Any, cast

import msgspec

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask
from app.controllers.console.forms import Form
from app.controllers.console.moments import read_moment
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.items.channels import has_own_sender
from app.transports.sms.alphabet import split

NEEDED = ("send",)
ADDRESS = "/console/compose"
SENDING = {"email": "emails.send", "sms": "sms.send"}
SHOWN_HEADERS = ("From", "To", "Subject", "Message-ID", "Date")


async def show(visit: Visit) -> Answer:
    return Show("compose", _filled(visit.query, str(uuid.uuid4())))


async def preview(visit: Visit) -> Answer:
    filled = _filled(visit.form, visit.form["key"])
    try:
        message = {"method": filled["method"], **read_message(visit.form)}
        shown = await ask(visit, "messages.preview", body={"message": message})
    except Problem as problem:
        return Show("compose", {**filled, "errors": errors_of(problem)}, problem.kind.status)
    return Show("compose", {**filled, "preview": shown, "parts": split(visit.form["body"])})


async def send(visit: Visit) -> Answer:
    filled = _filled(visit.form, visit.form["key"])
    try:
        message = read_message(visit.form)
        operation = SENDING[str(filled["method"])]
        queued = await ask(visit, operation, body=message, key=visit.form["key"])
    except Problem as problem:
        return Show("compose", {**filled, "errors": errors_of(problem)}, problem.kind.status)
    return _after(visit, queued)


def read_message(form: Form) -> dict[str, Any]:
    """The message as the API takes it; raises :class:`Problem` for a time that is none."""
    message: dict[str, Any] = {}
    if moment := read_moment(form, "send_at"):
        message["send_at"] = moment
    if form["method"] == "sms":
        if number := form["sender_cell"].strip():
            message["sender"] = {"cell": number}
        receiver = {"cell": form["receiver_cell"].strip(), "name": form["receiver_name"].strip()}
        return message | {"receiver": receiver, "body": form["body"]}
    sender = {"email": form["sender"].strip(), "name": form["sender_name"].strip()}
    receiver = {"email": form["to"].strip(), "name": form["receiver_name"].strip()}
    return message | {
        "sender": sender,
        "to": [receiver],
        "subject": form["subject"].strip(),
        "text": form["text"],
        "html": form["html"],
    }


def errors_of(problem: Problem) -> list[Any]:
    whole = [{"field": "", "message": problem.detail}]
    return cast("list[Any]", problem.members.get("errors", whole))


def _filled(form: Form, key: str) -> dict[str, object]:
    method = "sms" if form["method"] == "sms" else "email"
    shown = {"form": form, "method": method, "key": key, "moment": _moment(form)}
    return {**shown, "has_own_sender": has_own_sender()}


def _moment(form: Form) -> datetime | None:
    try:
        text = read_moment(form, "send_at")
        return datetime.fromisoformat(text) if text else None
    except Problem, ValueError:
        return None


def _after(visit: Visit, queued: Any) -> GoTo:
    """To the item, for who may see it; ``queued`` is a struct, or what an equal form got."""
    answer = cast("dict[str, Any]", msgspec.to_builtins(queued))
    key = answer["items"][0]["id"]
    if visit.caller.may("read_queueitem"):
        return GoTo(f"/console/items/{key}", "It is queued.")
    return GoTo(ADDRESS, f"It is queued as {key}.")


PAGES = (
    Page(ADDRESS, show, NEEDED),
    Page(ADDRESS, send, NEEDED, changes=True),
    Page(f"{ADDRESS}/preview", preview, NEEDED, changes=True),
)
