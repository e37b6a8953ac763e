"""How one Postmark server is used: the configuration of the channel ``postmark``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app.transports.email.smtp_config import DOMAIN
from app.transports.http.basic_auth import Login

API = "https://api.postmarkapp.com"
TOKEN = re.compile(r"[!-~]+")
STREAM = re.compile(r"[A-Za-z0-9_-]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostmarkConfig:
    """One server (a set of streams with a token of its own) of a Postmark account.

    ``webhook_logins``: what may stand in the address of the webhook; none means no webhook.
    ``message_stream``: empty means the server's default one for transactional email.
    ``message_id_domain``: the right side of Message-ID; empty leaves that to Postmark.
    ``total_timeout`` (seconds) limits one whole call.

    Raises ``ValueError`` that says what to correct, and quotes no secret.
    """

    server_token: str = field(repr=False)
    webhook_logins: tuple[Login, ...] = ()
    message_stream: str = ""
    message_id_domain: str = ""
    base_url: str = ""
    connections: int = 100
    connect_timeout: float = 5.0
    total_timeout: float = 30.0

    def __post_init__(self) -> None:
        problems = list(find_problems(self))
        if problems:
            raise ValueError("Postmark is not configured rightly. " + " ".join(problems))

    @property
    def api(self) -> str:
        return (self.base_url or API).rstrip("/")


def find_problems(config: PostmarkConfig) -> Iterator[str]:
    if not TOKEN.fullmatch(config.server_token):
        yield "POSTMARK_SERVER_TOKEN must be a server's API token, without spaces."
    if config.message_stream and not STREAM.fullmatch(config.message_stream):
        yield "POSTMARK_MESSAGE_STREAM must be the ID of a stream, such as outbound."
    if config.message_id_domain and not DOMAIN.fullmatch(config.message_id_domain):
        yield "MESSAGE_ID_DOMAIN must be a domain of yours, such as mail.example.com."
    if config.base_url and not is_web_address(config.base_url):
        yield f"POSTMARK_BASE_URL must be a full address such as {API}."
    if any(":" in login.user for login in config.webhook_logins):
        yield "POSTMARK_WEBHOOK_USER must hold no colon (RFC 7617)."
    if not 0 < config.connect_timeout < config.total_timeout:
        yield "The connect timeout must be shorter than the timeout of the whole call."


def is_web_address(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
