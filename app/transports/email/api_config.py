"""What the configurations of all providers with an API have in common."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

from app.transports.email.smtp_config import DOMAIN
from app.transports.http.basic_auth import Login, logins_of

type Read = Callable[[str], object]
"""The value of a setting by its name; ``None`` where there is none that can be used."""


class Misconfigured(ValueError):
    """``problems``: sentences that begin with the setting to correct, and quote no secret."""

    def __init__(self, provider: str, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{provider} is not configured rightly. " + " ".join(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiConfig:
    """One account. A field of a subclass is the setting ``PREFIX_FIELD``, read by :meth:`read`.

    ``name`` is the provider's for people, ``prefix`` begins its settings, ``address`` is where its
    API is unless ``base_url`` says otherwise. ``signed_by`` are the settings whose secrets show
    that a report is the provider's; empty where nothing but a password does.

    ``webhook_logins``: what may stand in the address of the webhook.
    ``message_id_domain``: the right side of Message-ID; empty leaves that to the provider.
    ``total_timeout`` (seconds) limits one whole call.

    Raises :class:`Misconfigured`.
    """

    name: ClassVar[str]
    prefix: ClassVar[str]
    address: ClassVar[str]
    signed_by: ClassVar[tuple[str, ...]] = ()

    webhook_logins: tuple[Login, ...] = ()
    message_id_domain: str = ""
    base_url: str = ""
    connections: int = 100
    connect_timeout: float = 5.0
    total_timeout: float = 30.0

    def __post_init__(self) -> None:
        problems = [*self.find_problems(), *find_common_problems(self)]
        if problems:
            raise Misconfigured(self.name, problems)

    @classmethod
    def read(cls, value: Read, **line: Any) -> Self:
        """From settings, and ``line``: the connections and timeouts to use."""
        given = {name: value(f"{cls.prefix}_{name.upper()}") for name in own_fields(cls)}
        known: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
        return cls(
            **known,
            **line,
            webhook_logins=read_logins(cls.prefix, value),
            message_id_domain=text_of(value("MESSAGE_ID_DOMAIN")),
            base_url=text_of(value(f"{cls.prefix}_BASE_URL")),
        )

    @property
    def api(self) -> str:
        return (self.base_url or self.address).rstrip("/")

    @property
    def takes_reports(self) -> bool:
        """Whether there is a secret by which reports are believed; else there is no route."""
        return bool(self.webhook_logins)

    def find_problems(self) -> Iterator[str]:
        """What is wrong with the fields of a subclass, as sentences that name the setting."""
        return iter(())


def own_fields(kind: type[ApiConfig]) -> list[str]:
    common = {field.name for field in fields(ApiConfig)}
    return [field.name for field in fields(kind) if field.name not in common]


def find_common_problems(config: ApiConfig) -> Iterator[str]:
    prefix = config.prefix
    if config.message_id_domain and not DOMAIN.fullmatch(config.message_id_domain):
        yield "MESSAGE_ID_DOMAIN must be a domain of yours, such as mail.example.com."
    if config.base_url and not is_web_address(config.base_url):
        yield f"{prefix}_BASE_URL must be a full address such as {config.address}."
    if any(":" in login.user for login in config.webhook_logins):
        yield f"{prefix}_WEBHOOK_USER must hold no colon (RFC 7617)."
    if not 0 < config.connect_timeout < config.total_timeout:
        yield "The connect timeout must be shorter than the timeout of the whole call."


def read_logins(prefix: str, value: Read) -> tuple[Login, ...]:
    return logins_of(
        text_of(value(f"{prefix}_WEBHOOK_USER")),
        text_of(value(f"{prefix}_WEBHOOK_PASSWORD")),
        text_of(value(f"{prefix}_PREVIOUS_WEBHOOK_USER")),
        text_of(value(f"{prefix}_PREVIOUS_WEBHOOK_PASSWORD")),
    )


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def is_web_address(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
