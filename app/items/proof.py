"""Whether a report counts, where it came behind a password and nothing else.

A password that stands in an address ends up in logs and consoles. Whoever finds it may know a
message's id as well, because receivers see it; what they don't see is the key that the message
carried unseen.
"""

from app.models.statements import Row
from app.transports.contract import Report

BY_ITEM = 3
"""The step of the matching in which nothing but the item's key named the attempt."""


def is_proven(match: Row, *, signed: bool) -> bool:
    """``signed``: nobody but the provider can have written this report.

    Else a final state needs id and key to agree; the key alone is enough as long as the attempt
    knows no id, and the id alone for a message that does not carry the attempt's key. The item's
    key proves nothing: receivers see it in Message-ID. Alone it would even store a foreign id.
    """
    if signed or match["report"] == Report.NOTED:
        return True
    if match["step"] == BY_ITEM or _has_wrong_key(match):
        return False
    named = match["attempt_key"] is not None or match["keyless"]
    return bool(named) or match["report"] == Report.IN_FLIGHT


def _has_wrong_key(match: Row) -> bool:
    foreign_item = match["item_key"] is not None and match["item_key"] != match["item_id"]
    return foreign_item or (match["attempt_key"] is not None and not _names_attempt(match))


def _names_attempt(match: Row) -> bool:
    """A repeated message carries the key of the first attempt at it."""
    return match["attempt_key"] in (match["attempt_id"], match["provider_key"])
