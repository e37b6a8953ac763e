"""SendGrid's signatures: ECDSA over the time and the body.

Source: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
"""

import base64
from collections.abc import Iterable

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from app.transports.contract import WebhookRefused


def read_key(text: str) -> EllipticCurvePublicKey | None:
    """The key as SendGrid shows it: SubjectPublicKeyInfo in base64; ``None`` for anything else."""
    try:
        key = load_der_public_key(base64.b64decode(text, validate=True))
    except ValueError, UnsupportedAlgorithm:
        return None
    return key if isinstance(key, EllipticCurvePublicKey) else None


def require_signature(
    keys: Iterable[EllipticCurvePublicKey], signature: str, signed: bytes
) -> None:
    """Raises :class:`WebhookRefused` unless one of the keys signed."""
    if not any(fits(key, signature, signed) for key in keys):
        raise WebhookRefused("the signature is missing or wrong")


def fits(key: EllipticCurvePublicKey, signature: str, signed: bytes) -> bool:
    try:
        key.verify(base64.b64decode(signature, validate=True), signed, ECDSA(SHA256()))
    except ValueError, InvalidSignature:
        return False
    return True
