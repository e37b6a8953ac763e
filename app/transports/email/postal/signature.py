"""How a Postal installation signs its webhooks: RSA over the body, by one key for all of it.

Source: ``app/lib/postal/http.rb`` and ``signer.rb`` of https://github.com/postalserver/postal
"""

import base64
from collections.abc import Iterable, Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from app.transports.contract import WebhookRefused

SHA256 = "x-postal-signature-256"
SHA1 = "x-postal-signature"
OLD_DIGEST = hashes.SHA1()  # noqa: S303  # all that older versions of Postal sign with


def require_signature(
    headers: Mapping[str, str], body: bytes, keys: Iterable[RSAPublicKey]
) -> None:
    """The newer signature where there is one, and then nothing else: an older version of Postal
    has SHA-1 alone. Raises :class:`WebhookRefused`."""
    name, digest = (SHA256, hashes.SHA256()) if SHA256 in headers else (SHA1, OLD_DIGEST)
    try:
        signature = base64.b64decode(headers.get(name, ""), validate=True)
    except ValueError:
        signature = b""
    if not any(fits(key, signature, body, digest) for key in keys):
        raise WebhookRefused("the signature is missing or wrong")


def fits(key: RSAPublicKey, signature: bytes, body: bytes, digest: hashes.HashAlgorithm) -> bool:
    try:
        key.verify(signature, body, PKCS1v15(), digest)
    except InvalidSignature:
        return False
    return True
