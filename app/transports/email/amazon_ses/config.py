"""How one Amazon SES account is used: the configuration of the channel ``amazon_ses``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig

KEY_ID = re.compile(r"[A-Z0-9]{16,128}")
SECRET = re.compile(r"[!-~]+")
REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-[0-9]")
SET = re.compile(r"[A-Za-z0-9_-]{1,64}")
TOPIC = re.compile(r"arn:aws(?:-[a-z-]+)?:sns:([a-z0-9-]+):[0-9]{12}:[A-Za-z0-9_.-]{1,256}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AmazonSesConfig(ApiConfig):
    """One account in one region.

    ``configuration_set``: the set whose event destination reports; empty means the identity's own.
    ``topic_arns``: the SNS topics that may report, by comma; none means that a password does.
    """

    name: ClassVar[str] = "Amazon SES"
    prefix: ClassVar[str] = "SES"
    address: ClassVar[str] = "https://email.REGION.amazonaws.com"
    signed_by: ClassVar[tuple[str, ...]] = ("SES_TOPIC_ARNS",)

    access_key_id: str
    secret_access_key: str = field(default="", repr=False)
    session_token: str = field(default="", repr=False)
    region: str = ""
    configuration_set: str = ""
    topic_arns: str = ""

    @property
    @override
    def api(self) -> str:
        return (self.base_url or f"https://email.{self.region}.{domain_of(self.region)}").rstrip(
            "/"
        )

    @property
    @override
    def takes_reports(self) -> bool:
        return bool(self.topics or self.webhook_logins)

    @property
    def topics(self) -> frozenset[str]:
        return frozenset(part.strip() for part in self.topic_arns.split(",") if part.strip())

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY_ID.fullmatch(self.access_key_id):
            yield "SES_ACCESS_KEY_ID must be the id of an access key, such as AKIA…"
        if not SECRET.fullmatch(self.secret_access_key):
            yield "SES_SECRET_ACCESS_KEY must be the secret of that key, without spaces."
        if not REGION.fullmatch(self.region):
            yield "SES_REGION must be a region of AWS, such as eu-west-1."
        if self.configuration_set and not SET.fullmatch(self.configuration_set):
            yield "SES_CONFIGURATION_SET must be the name of a configuration set."
        if not all(map(TOPIC.fullmatch, self.topics)):
            yield "SES_TOPIC_ARNS must be ARNs of SNS topics, by comma."


def domain_of(region: str) -> str:
    """China has a partition of its own."""
    return "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
