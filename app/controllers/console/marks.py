"""States as they stand on pages: a mark of its own shape, the word, and a colour."""

from markupsafe import Markup

MARK = Markup(
    '<svg class="mark s-{0}" aria-hidden="true" width="16" height="16"><use href="#m-{0}"/></svg>'
)
STATE = Markup('<span class="state s-{0}">{1} {0}</span>')


def mark(state: str) -> Markup:
    return MARK.format(str(state))


def state_of(state: str) -> Markup:
    return STATE.format(str(state), mark(state))
