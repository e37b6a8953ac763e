"""How one Twilio account is used: the configuration of the channel ``twilio``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

API = "https://api.twilio.com"
"""Twilio's API without region or edge; what the SDK calls, whatever is configured."""

PLACE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""The name of a region or an edge: a label of a host name."""

SID = re.compile(r"[A-Z]{2}[0-9a-f]{32}")
"""Twilio's identifiers: two letters for the kind, 32 hexadecimal digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwilioConfig:
    """One Twilio account.

    ``auth_token`` signs webhooks and sends, unless an API key is given for sending.
    ``previous_auth_token`` is believed for webhooks only, while the token is changed.
    ``shared_key``: webhooks must then be signed by it with HMAC-SHA256; ``sha1_with_shared_key``
    also lets signatures by the auth token pass, for the hours in which Twilio is switched over.
    ``webhook_url`` is the full URL given to Twilio for status callbacks (it may hold a query, and a
    fragment with Twilio's connection overrides); empty means that Twilio is polled.
    ``region`` (``ie1``) is where Twilio keeps the account's messages, ``edge`` (``dublin``) where
    its network is entered; ``base_url`` is any other address, and stands alone.
    ``public_urls`` are further full URLs of the route that are valid during a move.
    ``total_timeout`` (seconds) limits one whole call.

    Raises ``ValueError`` that says what to correct, and quotes no secret.
    """

    account_sid: str
    auth_token: str = field(default="", repr=False)
    previous_auth_token: str = field(default="", repr=False)
    api_key_sid: str = ""
    api_key_secret: str = field(default="", repr=False)
    shared_key: str = field(default="", repr=False)
    sha1_with_shared_key: bool = False
    messaging_service_sid: str = ""
    from_number: str = ""
    webhook_url: str = ""
    public_urls: tuple[str, ...] = ()
    region: str = ""
    edge: str = ""
    base_url: str = ""
    connections: int = 100
    connect_timeout: float = 5.0
    total_timeout: float = 30.0
    proxy: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        problems = list(find_problems(self))
        if problems:
            raise ValueError("Twilio is not configured rightly. " + " ".join(problems))

    @property
    def api(self) -> str:
        """Where the API is. An edge without a region leads to Twilio's first one, as in the SDK
        (https://www.twilio.com/docs/global-infrastructure/using-the-twilio-rest-api-in-a-non-us-region).
        """
        region = self.region or ("us1" if self.edge else "")
        places = "".join(f".{place}" for place in (self.edge, region) if place)
        return (self.base_url or f"https://api{places}.twilio.com").rstrip("/")

    @property
    def credentials(self) -> tuple[str, str]:
        """User and password of the API: the API key where there is one."""
        if self.api_key_sid:
            return self.api_key_sid, self.api_key_secret
        return self.account_sid, self.auth_token

    @property
    def auth_tokens(self) -> tuple[str, ...]:
        """The tokens that may sign a webhook. Never an empty one, which anybody could sign with."""
        return tuple(t for t in (self.auth_token, self.previous_auth_token) if t)


def find_problems(config: TwilioConfig) -> Iterator[str]:
    if not (config.account_sid.startswith("AC") and SID.fullmatch(config.account_sid)):
        yield "TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits, as Twilio's console shows."
    if bool(config.api_key_sid) != bool(config.api_key_secret):
        yield "TWILIO_API_KEY_SID and TWILIO_API_KEY_SECRET are needed both, or neither."
    if not (config.auth_token or config.api_key_sid):
        yield "TWILIO_AUTH_TOKEN is missing (or an API key to send with)."
    if config.webhook_url and not (config.auth_token or config.shared_key):
        yield "TWILIO_WEBHOOK_URL needs TWILIO_AUTH_TOKEN or TWILIO_SHARED_KEY to believe reports."
    if config.webhook_url and not is_web_address(config.webhook_url):
        yield "TWILIO_WEBHOOK_URL must be a full address such as https://example.com/webhooks/sms/…"
    for name, place in (("TWILIO_REGION", config.region), ("TWILIO_EDGE", config.edge)):
        if place and not PLACE.fullmatch(place):
            yield f"{name} must be a name such as ie1 or dublin, not an address."
        if place and config.base_url:
            yield f"{name} means nothing beside TWILIO_BASE_URL: unset one of them."
    if not 0 < config.connect_timeout < config.total_timeout:
        yield "The connect timeout must be shorter than the timeout of the whole call."


def is_web_address(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
