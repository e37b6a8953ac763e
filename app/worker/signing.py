"""Who may put work on the broker: a signature that only holders of ``APP_KEY`` can make."""

import hashlib
import hmac
from collections.abc import Sequence

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.settings import AppSettings

PURPOSE = b"pillarbox: messages on the broker, 1"


class NoKey(RuntimeError):
    """APP_KEY is not set, so jobs can't be signed. Run `arvel key:generate` or set APP_KEY."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Signer:
    """Signs with the first key, accepts the signatures of all: so that keys can be changed."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys or not keys[0]:
            raise NoKey
        self._keys = [_derive(key) for key in keys if key]

    def sign(self, label: str, data: bytes) -> bytes:
        """The signature (HMAC-SHA256, RFC 2104) of ``data`` on the queue ``label``."""
        return _mac(self._keys[0], label, data)

    def verify(self, label: str, data: bytes, signature: bytes) -> bool:
        return any(hmac.compare_digest(_mac(key, label, data), signature) for key in self._keys)


def configured() -> Signer:
    """The signer of APP_KEY, which also accepts the keys in APP_PREVIOUS_KEYS."""
    settings = AppSettings()
    previous = [key.strip() for key in settings.previous_keys.split(",")]
    return Signer([settings.key, *previous])


def _derive(key: str) -> bytes:
    # HKDF (RFC 5869): this key can't be used for anything else that APP_KEY protects.
    return HKDF(hashes.SHA256(), 32, salt=None, info=PURPOSE).derive(key.encode())


def _mac(key: bytes, label: str, data: bytes) -> bytes:
    return hmac.digest(key, label.encode() + b"\0" + data, hashlib.sha256)
