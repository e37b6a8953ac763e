"""Twilio's signature of a webhook request.

Source: https://www.twilio.com/docs/usage/security#validating-requests, and the SDK's
``RequestValidator``, with which this agrees; unlike that one it compares in constant time, leaves
the URL as it is byte for byte, and keeps user info and IPv6 hosts when it changes the port.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterator
from urllib.parse import parse_qs

from app.transports.contract import RawRequest
from app.transports.sms.twilio_form import Pairs, is_form, pairs_of

SHA1 = "HMAC_SHA1"
SHA256 = "HMAC_SHA256"

HASHES = {SHA1: hashlib.sha1, SHA256: hashlib.sha256}

DEFAULT_PORTS = {"https": "443", "http": "80"}


def named_algorithm(settings: str) -> str:
    """The algorithm in ``X-Twilio-Webhooks-Signature-Settings: key=…,algorithm=…``; SHA-1 when the
    header is missing. The header itself is not signed."""
    for part in settings.split(","):
        name, _, value = part.partition("=")
        if name.strip() == "algorithm" and value.strip():
            return value.strip().upper()
    return SHA1


def sign(secret: str, payload: bytes, algorithm: str) -> bytes:
    return base64.b64encode(hmac.digest(secret.encode(), payload, HASHES[algorithm]))


def signed_payloads(request: RawRequest, urls: tuple[str, ...]) -> Iterator[bytes]:
    """What Twilio may have signed: each URL with and without port, followed by the form's fields.

    Raises ``ValueError`` when the body can't be covered by a signature.
    """
    suffix = signed_fields(pairs_of(request)) if is_form(request) else b""
    for url in urls:
        for variant in port_variants(url.partition("#")[0]):
            yield variant.encode("utf-8", "surrogateescape") + suffix


def signed_fields(pairs: Pairs) -> bytes:
    """Each name in byte order, with each of its different values in byte order."""
    return b"".join(name + value for name, value in sorted(set(pairs)))


def port_variants(url: str) -> tuple[str, str]:
    """The URL without its port, and with it (the scheme's own when it names none)."""
    scheme, mark, rest = url.partition("://")
    end = min((i for i in map(rest.find, "/?") if i >= 0), default=len(rest))
    user, at, host = rest[:end].rpartition("@")
    name, port = split_port(host)
    named = f"{name}:{port or DEFAULT_PORTS.get(scheme, '')}"
    before, after = f"{scheme}{mark}{user}{at}", rest[end:]
    return f"{before}{name}{after}", f"{before}{named}{after}"


def split_port(host: str) -> tuple[str, str]:
    name, colon, port = host.rpartition(":")
    return (name, port) if colon and port.isdigit() else (host, "")


def covers_body(request: RawRequest) -> bool:
    """Whether a right signature speaks for the body: as a form, or by ``bodySHA256`` in the URL."""
    if is_form(request) or not request.body:
        return True
    query = parse_qs(request.query_string.decode("ascii", "replace"))
    stated = query.get("bodySHA256", [""])[0]
    digest = hashlib.sha256(request.body).hexdigest()
    return hmac.compare_digest(stated.encode(), digest.encode())
