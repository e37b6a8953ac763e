"""The key of a Postal installation, in the forms in which people find it."""

import base64
import re

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

RECORD = re.compile(r"\bp=([A-Za-z0-9+/=\s]+)")
ARMOUR = re.compile(r"-----(BEGIN|END) PUBLIC KEY-----")
LEAST_BITS = 1024


def read_key(text: str) -> RSAPublicKey | None:
    """From PEM, from its base64 alone, or from a DKIM record (``v=DKIM1; …; p=…``).

    ``None`` where it is no RSA key.
    """
    record = RECORD.search(text)
    encoded = record[1] if record else ARMOUR.sub("", text)
    try:
        key = load_der_public_key(base64.b64decode("".join(encoded.split()), validate=True))
    except ValueError, UnsupportedAlgorithm:
        return None
    return key if isinstance(key, RSAPublicKey) and key.key_size >= LEAST_BITS else None
