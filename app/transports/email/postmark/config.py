"""How one Postmark server is used: the configuration of the channel ``postmark``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig

TOKEN = re.compile(r"[!-~]+")
STREAM = re.compile(r"[A-Za-z0-9_-]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostmarkConfig(ApiConfig):
    """One server (a set of streams with a token of its own) of a Postmark account.

    ``message_stream``: empty means the server's default one for transactional email.
    """

    name: ClassVar[str] = "Postmark"
    prefix: ClassVar[str] = "POSTMARK"
    address: ClassVar[str] = "https://api.postmarkapp.com"

    server_token: str = field(repr=False)
    message_stream: str = ""

    @override
    def find_problems(self) -> Iterator[str]:
        if not TOKEN.fullmatch(self.server_token):
            yield "POSTMARK_SERVER_TOKEN must be a server's API token, without spaces."
        if self.message_stream and not STREAM.fullmatch(self.message_stream):
            yield "POSTMARK_MESSAGE_STREAM must be the ID of a stream, such as outbound."
