"""The certificates that SNS signs with: fetched once each, from SNS itself.

The connection shows that a certificate is from SNS; its own chain is not followed. Source:
https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
"""

import base64
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256, HashAlgorithm

from app.transports.contract import WebhookRefused
from app.transports.email.amazon_ses.notification import Notification
from app.transports.http import NoAnswer, call, http_client
from app.transports.http.signed import Clock

type Fetch = Callable[[str], Awaitable[bytes | None]]
"""The body at an address, if it answered 200."""

MOST = 20
"""Certificates that are kept; SNS has one for each region and changes it about once a year."""

HASHES: dict[str, type[HashAlgorithm]] = {"1": SHA1, "2": SHA256}
"""By ``SignatureVersion``. SHA-1 is what a topic uses until somebody sets the other one."""

TIMEOUT = 10.0


async def fetch(url: str) -> bytes | None:
    """Over TLS, without redirects."""
    async with http_client(connections=1, total_timeout=TIMEOUT) as client:
        try:
            request = client.build_request("GET", url)
            answer = await call(client, request, provider="Amazon SNS", total=TIMEOUT)
        except NoAnswer:
            return None
    return answer.body if answer.status == 200 else None


class Certificates:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[str, x509.Certificate] = {}

    def __contains__(self, url: str) -> bool:
        return url in self._known

    def learn(self, url: str, pem: bytes) -> bool:
        """Whether this is a certificate that can be used."""
        try:
            certificate = x509.load_pem_x509_certificate(pem)
            usable = isinstance(certificate.public_key(), RSAPublicKey)
        except ValueError, UnsupportedAlgorithm:
            return False
        if usable:
            if len(self._known) >= MOST:
                self._known.pop(next(iter(self._known)))
            self._known[url] = certificate
        return usable

    def check(self, notification: Notification) -> None:
        """Raises :class:`WebhookRefused` unless SNS signed this."""
        certificate = self._known.get(notification["SigningCertURL"])
        kind = HASHES.get(notification["SignatureVersion"])
        if certificate is None or kind is None or not self._is_valid(certificate):
            raise WebhookRefused("the certificate or the version of the signature is not usable")
        key = certificate.public_key()
        assert isinstance(key, RSAPublicKey)
        try:
            signature = base64.b64decode(notification["Signature"], validate=True)
            key.verify(signature, notification.signed, PKCS1v15(), kind())
        except (ValueError, InvalidSignature) as error:
            raise WebhookRefused("the signature is missing or wrong") from error

    def _is_valid(self, certificate: x509.Certificate) -> bool:
        moment = datetime.fromtimestamp(self._clock(), UTC)
        return certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc
