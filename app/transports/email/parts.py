"""The body of a message as a tree of MIME parts."""

from collections.abc import Callable
from email.message import EmailMessage
from hashlib import sha256
from uuid import UUID

from app.transports.contract import OutboundEmail
from app.transports.email.files import describe_file
from app.transports.email.policy import WIRE
from app.transports.email.unsendable import UnsendableEmail


def build_body(email: OutboundEmail) -> EmailMessage:
    """Texts, inline images beside the HTML that shows them, then attachments.

    Every leaf is quoted-printable or base64: no line is too long, and none can be a boundary.
    """
    body = EmailMessage(policy=WIRE)
    add_texts(body, email.text, email.html)
    html = body.get_body(("html",))
    for file in email.files:
        if html is not None and file.content_id:
            html.add_related(file.content, **describe_file(file, "inline"))
            html.set_param("type", "text/html")  # RFC 2387 section 3.1
    for file in email.files:
        if html is None or not file.content_id:
            body.add_attachment(file.content, **describe_file(file, "attachment"))
    set_boundaries(body, email.provider_key)
    return body


def add_texts(body: EmailMessage, text: str, html: str) -> None:
    if text or not html:
        add_text(body.set_content, text, "plain")
    if html:
        add_text(body.add_alternative if text else body.set_content, html, "html")


def add_text(add: Callable[..., None], text: str, subtype: str) -> None:
    try:
        encoding = choose_encoding(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise UnsendableEmail(f"The {subtype} text has characters that are not Unicode.") from error
    add(text, subtype=subtype, charset="utf-8", cte=encoding)


def choose_encoding(octets: bytes) -> str:
    """The shorter one: quoted-printable triples an octet, base64 adds a third to all of them."""
    plain = len(octets.translate(None, bytes(range(127, 256))))
    return "base64" if (len(octets) - plain) * 6 > len(octets) else "quoted-printable"


def set_boundaries(body: EmailMessage, provider_key: UUID) -> None:
    """The same boundaries for the same ``provider_key``, so that a message can be rebuilt.

    Neither quoted-printable nor base64 can contain ``=_`` (RFC 2045 section 6.7).
    """
    seed = sha256(provider_key.bytes).hexdigest()[:32]
    multiparts = (part for part in body.walk() if part.is_multipart())
    for number, part in enumerate(multiparts):
        part.set_boundary(f"=_{seed}_{number}")
