"""Times that people fill in: theirs, because beside each stands the offset of their zone."""

import re

from app.controllers.api.problems import Problem
from app.controllers.console.forms import Form

LOCAL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?", re.ASCII)
OFFSET = re.compile(r"[+-][0-9]{2}:[0-9]{2}", re.ASCII)
UTC = "+00:00"


def read_moment(form: Form, name: str) -> str | None:
    """A time of RFC 3339, for fields ``name`` and ``name_zone``; without a zone it is in UTC.

    Raises :class:`Problem` for what no field for times holds.
    """
    local, offset = form[name].strip(), form[f"{name}_zone"].strip() or UTC
    if not local:
        return None
    if not LOCAL.fullmatch(local) or not OFFSET.fullmatch(offset):
        raise Problem.invalid({name: ["Must be a time as 2026-12-31T23:59."]})
    seconds = "" if local.count(":") == 2 else ":00"
    return f"{local}{seconds}{offset}"
