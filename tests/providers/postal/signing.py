"""Keys of Postal installations, made anew for each run, and what is signed by them."""

import base64
from dataclasses import replace

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.transports.contract import RawRequest

OURS = generate_private_key(65537, 2048)
PREVIOUS = generate_private_key(65537, 2048)
THEIRS = generate_private_key(65537, 2048)

SHA1 = {"x-postal-signature": hashes.SHA1()}  # as older versions sign
SHA256 = {"x-postal-signature-256": hashes.SHA256()}
BOTH = {**SHA1, **SHA256}


def public_text(key: RSAPrivateKey) -> str:
    """Base64 of the public key, as DNS has it."""
    der = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(der).decode()


def signed(
    request: RawRequest,
    key: RSAPrivateKey = OURS,
    algorithms: dict[str, hashes.HashAlgorithm] = BOTH,
) -> RawRequest:
    signatures = {
        name: base64.b64encode(key.sign(request.body, PKCS1v15(), digest)).decode()
        for name, digest in algorithms.items()
    }
    return replace(request, headers={**request.headers, **signatures})
