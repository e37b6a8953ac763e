"""A message that says by its ``method`` whether it is an email or an SMS."""

from app.controllers.api.problems import Problem
from app.controllers.api.sending.messages import EmailDraft, Message, SmsDraft
from app.controllers.api.sending.reading import read_as, require_object

KINDS: dict[object, type[Message]] = {"email": EmailDraft, "sms": SmsDraft}


def read_tagged(entry: object) -> Message:
    """Raises :class:`Problem` with all that is wrong with its form."""
    given = require_object(entry)
    method = given.get("method")
    kind = KINDS.get(method) if isinstance(method, str) else None
    if kind is None:
        raise Problem.invalid({"method": ["Must be email or sms."]})
    return read_as({name: value for name, value in given.items() if name != "method"}, kind)
