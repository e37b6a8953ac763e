"""How one Mailtrap account is used: the configuration of the channel ``mailtrap``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.signed_config import SignedConfig

TOKEN = re.compile(r"[!-~]+")
INBOX = re.compile(r"[0-9]{1,12}")
SANDBOX = "https://sandbox.api.mailtrap.io"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailtrapConfig(SignedConfig):
    """One account. ``inbox_id``: messages go into that inbox of Mailtrap's sandbox, and to nobody.

    ``webhook_secret``: the signature secret of the webhook.
    """

    name: ClassVar[str] = "Mailtrap"
    prefix: ClassVar[str] = "MAILTRAP"
    address: ClassVar[str] = "https://send.api.mailtrap.io"
    signed_by: ClassVar[tuple[str, ...]] = ("MAILTRAP_WEBHOOK_SECRET",)

    api_token: str = field(repr=False)
    inbox_id: str = ""

    @property
    @override
    def api(self) -> str:
        return (self.base_url or (SANDBOX if self.inbox_id else self.address)).rstrip("/")

    @override
    def find_problems(self) -> Iterator[str]:
        if not TOKEN.fullmatch(self.api_token):
            yield "MAILTRAP_API_TOKEN must be an API token, without spaces."
        if self.inbox_id and not INBOX.fullmatch(self.inbox_id):
            yield "MAILTRAP_INBOX_ID must be the number of an inbox."
