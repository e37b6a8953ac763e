"""How one mail server is reached, checked at boot."""

import re
import ssl
from dataclasses import dataclass, field
from pathlib import Path

STARTTLS = "starttls"
IMPLICIT = "implicit"
NONE = "none"

DOMAIN = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
HELO = re.compile(r"[A-Za-z0-9.-]+|\[[A-Za-z0-9.:]+\]")
FIELD_NAME = re.compile(r"X-[A-Za-z0-9-]{1,60}")


@dataclass(frozen=True, slots=True)
class SmtpConfig:
    """One mail server and our account there. Times in seconds.

    ``tls``: ``starttls`` (required, not merely tried), ``implicit`` (usually port 465) or ``none``.
    ``ca_file``: the only authorities to trust, as PEM; empty means the system's.
    ``message_id_domain``: right side of Message-ID and, without ``helo``, our name in EHLO.
    ``total_timeout``: for the whole of one call, waiting for a free connection included.
    ``tag_header``: an ``X-`` field that carries each tag; empty means that tags are not sent.
    Raises ``ValueError``, with what to change, when the values don't fit together.
    """

    host: str
    message_id_domain: str
    port: int = 587
    username: str = ""
    password: str = field(default="", repr=False)
    tls: str = STARTTLS
    verify: bool = True
    ca_file: str = ""
    helo: str = ""
    connect_timeout: float = 5.0
    total_timeout: float = 30.0
    pool_size: int = 10
    probe_after_idle: float = 30.0
    messages_per_session: int = 100
    session_lifetime: float = 300.0
    tag_header: str = ""

    def __post_init__(self) -> None:
        problem = next((text for holds, text in self._rules() if not holds), None)
        if problem:
            raise ValueError(f"SMTP: {problem}")

    def _rules(self) -> list[tuple[bool, str]]:
        return [
            (bool(self.host), "host is missing; name the mail server."),
            (0 < self.port < 65536, "port must be between 1 and 65535."),
            (self.tls in (STARTTLS, IMPLICIT, NONE), "tls must be starttls, implicit or none."),
            (
                not (self.username and self.tls == NONE),
                "a password is never sent in clear; with tls=none leave username empty.",
            ),
            (bool(self.username) or not self.password, "password is set without username."),
            (
                bool(DOMAIN.fullmatch(self.message_id_domain)),
                "message_id_domain must be a domain of yours, such as mail.example.com.",
            ),
            (bool(HELO.fullmatch(self.helo or "x")), "helo must be a host name."),
            (
                not self.ca_file or Path(self.ca_file).is_file(),
                "ca_file is not a file that can be read.",
            ),
            (
                0 < self.connect_timeout < self.total_timeout,
                "connect_timeout must be above 0 and below total_timeout.",
            ),
            (self.pool_size > 0, "pool_size must be at least 1."),
            (self.messages_per_session > 0, "messages_per_session must be at least 1."),
            (
                not self.tag_header or bool(FIELD_NAME.fullmatch(self.tag_header)),
                "tag_header must be a header name that begins with X-.",
            ),
        ]

    @property
    def server(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def our_name(self) -> str:
        """What EHLO says; never the machine's host name, which is nobody's business."""
        return self.helo or self.message_id_domain

    def tls_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.ca_file or None)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if not self.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context
