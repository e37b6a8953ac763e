"""Reports as Unisender Go signs them."""

import hashlib
import re
from dataclasses import replace

from app.transports.contract import RawRequest

KEY, PREVIOUS = "canary-api-key", "canary-key-before-that"
UNSIGNED = "0" * 32
AUTH = re.compile(rb'"auth": ?"([0-9a-f]{32})"')


def signed(request: RawRequest, key: str = KEY) -> RawRequest:
    """The digest is of the body in which the key stands for it. What has no place for a signature
    stays as it is."""
    found = AUTH.search(request.body)
    if found is None:
        return request
    start, end = found.span(1)
    before, after = request.body[:start], request.body[end:]
    digest = hashlib.md5(before + key.encode() + after, usedforsecurity=False).hexdigest()
    return replace(request, body=before + digest.encode() + after)
