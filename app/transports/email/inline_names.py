"""Images inside the HTML at providers that make the Content-ID the name of the file."""

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

from app.transports.contract import File, OutboundEmail
from app.transports.email.file_names import TYPES
from app.transports.email.files import read_content_type, write_content_id

SAFE = re.compile(r"[A-Za-z0-9_@-]+")
"""A Content-ID with a dot ends like a file name: ``logo@example.com`` is a program to some readers,
who then refuse the message (django-anymail issue 112)."""


def rename_inline(email: OutboundEmail) -> OutboundEmail:
    """The same email, whose images have Content-IDs that are good file names, in the HTML too.

    Without HTML nothing shows them, and they are attachments. Raises :class:`UnsendableEmail`.
    """
    if not email.html:
        return replace(email, files=tuple(replace(one, content_id=None) for one in email.files))
    names = dict(name_inline(email))
    files = tuple(
        replace(one, content_id=names.get(one.content_id) if one.content_id else None)
        for one in email.files
    )
    return replace(email, files=files, html=rewrite(email.html, names))


def name_inline(email: OutboundEmail) -> Iterator[tuple[str, str]]:
    for number, file in enumerate(email.files, 1):
        if file.content_id:
            write_content_id(file.content_id)
            is_safe = SAFE.fullmatch(file.content_id)
            yield file.content_id, file.content_id if is_safe else new_name(file, number)


def new_name(file: File, number: int) -> str:
    kind, subtype, _ = read_content_type(file.content_type)
    return f"image{number}" + (TYPES.guess_extension(f"{kind}/{subtype}") or "")


def rewrite(html: str, names: dict[str, str]) -> str:
    """Each ``cid:`` that names one of these, as it is or with escapes (RFC 2392)."""
    written = {form: new for old, new in names.items() for form in (old, quote(old))}
    if not written:
        return html
    longest_first = sorted(written, key=len, reverse=True)
    pattern = re.compile(
        "cid:(" + "|".join(map(re.escape, longest_first)) + r")(?![!#$%&*+./0-9=?@A-Z^_`a-z{|}~-])",
        re.IGNORECASE,
    )
    return pattern.sub(lambda found: f"cid:{written.get(found[1], found[1])}", html)
