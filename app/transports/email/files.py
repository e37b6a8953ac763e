"""How a file is described in its part of a message."""

import re
from email.message import EmailMessage
from typing import Any

from app.transports.contract import File
from app.transports.email.policy import WIRE
from app.transports.email.unsendable import UnsendableEmail, require_one_line

CONTENT_TYPE = re.compile(r"([\w!#$&^.+-]+)/([\w!#$&^.+-]+)\s*(;.*)?", re.ASCII)
CONTENT_ID = re.compile(r"[!-;=?-~]{1,250}")

COMPOSITE = frozenset({"message", "multipart"})
"""Types that RFC 2046 section 5 forbids to encode; as opaque octets they arrive unchanged."""


def describe_file(file: File, disposition: str) -> dict[str, Any]:
    """The arguments by which ``email.contentmanager`` sets bytes as a part's content.

    The name is always given: readers otherwise make one out of a Content-ID, and refuse a file
    that seems to end in ``.com``.
    """
    kind, subtype, parameters = read_content_type(file.content_type)
    return {
        "maintype": kind,
        "subtype": subtype,
        "params": parameters,
        "disposition": disposition,
        "filename": require_one_line("A file's name", file.name).strip() or "file",
        "cid": write_content_id(file.content_id) if file.content_id else None,
    }


def read_content_type(value: str) -> tuple[str, str, dict[str, str]]:
    found = CONTENT_TYPE.fullmatch(require_one_line("A file's content type", value))
    if not found:
        raise UnsendableEmail("A file's content type is not of the form type/subtype.")
    if found[1].lower() in COMPOSITE:
        return "application", "octet-stream", {}
    part = EmailMessage(policy=WIRE)
    part["Content-Type"] = value
    return found[1], found[2], dict(part["Content-Type"].params)


def write_content_id(content_id: str) -> str:
    if not CONTENT_ID.fullmatch(content_id):
        raise UnsendableEmail("A file's content id is not of the form left@right (RFC 2392).")
    return f"<{content_id}>"
