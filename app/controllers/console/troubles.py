"""What went wrong, for people: what it means, and what to do now."""

from collections.abc import Mapping
from typing import Any, cast

from app.controllers.api.problems import Problem
from app.controllers.console.page import Show

ADVICE: Mapping[str, tuple[str, str]] = {
    "malformed": (
        "That can't be read",
        "Go back and begin on the page before, not with an address that somebody wrote by hand.",
    ),
    "forbidden": (
        "You may not do this",
        "Somebody with access to the server can grant it: arvel dispatch:user grant.",
    ),
    "out-of-bounds": ("You may not send this", "Ask whoever manages your account."),
    "not-found": (
        "There is nothing here",
        "It may have been forgotten with old history, or never have been. Look for it by a name,"
        " an address, a number or an id.",
    ),
    "timeout": ("That took too long", "Your browser was too slow. Send it again."),
    "conflict": ("Somebody or something was first", "Look at what it is now, then decide again."),
    "confirmation-needed": (
        "It may have been sent",
        "Go on only if you accept that the receiver may get it twice.",
    ),
    "still-running": ("The first one still runs", "Wait a moment and look whether it was done."),
    "too-large": ("That is too large", "Make it smaller and send it again."),
    "unsupported-media-type": ("That is no form of ours", "Use the pages of the console."),
    "invalid": ("Something in it can't be used", "Go back, mend it and send it again."),
    "key-reused": ("This form was sent already", "Begin anew, so that it counts as another one."),
    "too-many-requests": ("Too many requests", "Wait a minute."),
    "failed": (
        "Something went wrong here",
        "The fault is ours, and it is in the log under the id below. Try again; if it stays so,"
        " arvel dispatch:doctor says more.",
    ),
    "unavailable": (
        "A server that this needs does not answer",
        "Messages that were accepted are safe. Try again in a few seconds; arvel dispatch:doctor"
        " says which server it is.",
    ),
}


def describe(problem: Problem, request_id: str) -> Show:
    title, advice = ADVICE.get(problem.kind.slug, ("That didn't work", "Try again."))
    title, advice = problem.members.get("title", title), problem.members.get("advice", advice)
    errors = cast("list[dict[str, Any]]", problem.members.get("errors", []))
    detail = "" if problem.detail in (problem.kind.title, "See errors.") else problem.detail
    data = {
        "title": title,
        "detail": detail,
        "errors": errors,
        "advice": advice,
        "request_id": request_id,
    }
    return Show("trouble", data, problem.kind.status, problem.headers)
