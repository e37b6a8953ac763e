"""Basic authentication of webhooks (RFC 7617), for providers that don't sign them."""

import base64
import hmac
from dataclasses import dataclass, field

from app.transports.contract import RawRequest, WebhookRefused

LEAST_SECRET = 43
"""Characters: what 32 random bytes take in base64. Shorter ones can be guessed, and whoever has
one can report whatever they like."""


@dataclass(frozen=True, slots=True)
class Login:
    """A user name and a password, as they stand in the address that the provider was given."""

    user: str
    password: str = field(repr=False)

    @property
    def is_set(self) -> bool:
        """Without a password anybody could sign in, so that is never a login."""
        return bool(self.password)

    @property
    def is_strong(self) -> bool:
        return len(self.password) >= LEAST_SECRET


@dataclass(frozen=True, slots=True)
class BasicAuth:
    """Two logins are valid while the password is changed."""

    logins: tuple[Login, ...]

    def check(self, request: RawRequest) -> None:
        """Raises :class:`WebhookRefused`; in the same time whichever login it was, or wasn't."""
        given = read_credentials(request.headers.get("authorization", ""))
        fits = [
            hmac.compare_digest(given, f"{login.user}:{login.password}".encode())
            for login in self.logins
            if login.is_set
        ]
        if not any(fits):
            raise WebhookRefused("the user or the password is missing or wrong")


def read_credentials(header: str) -> bytes:
    scheme, _, encoded = header.strip().partition(" ")
    if scheme.lower() != "basic":
        return b""
    try:
        return base64.b64decode(encoded.strip(), validate=True)
    except ValueError:
        return b""


def logins_of(
    user: str, password: str, previous_user: str, previous_password: str
) -> tuple[Login, ...]:
    """The logins that are set; the previous user is the present one unless it is given."""
    both = (Login(user, password), Login(previous_user or user, previous_password))
    return tuple(login for login in both if login.is_set)
