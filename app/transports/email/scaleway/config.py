"""How one Scaleway project is used: the configuration of the channel ``scaleway``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig

KEY = re.compile(r"[!-~]+")
REGION = re.compile(r"[a-z]{2}-[a-z]{3}")
PROJECT = re.compile(r"[A-Za-z0-9-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalewayConfig(ApiConfig):
    """One project in one region.

    ``topic_arn``: the topic whose reports are believed; empty: any topic's.
    """

    name: ClassVar[str] = "Scaleway"
    prefix: ClassVar[str] = "SCALEWAY"
    address: ClassVar[str] = "https://api.scaleway.com"

    secret_key: str = field(repr=False)
    project_id: str = ""
    region: str = "fr-par"
    topic_arn: str = ""

    @property
    def path(self) -> str:
        """Where the emails of the region are."""
        return f"/transactional-email/v1alpha1/regions/{self.region}/emails"

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.secret_key):
            yield "SCALEWAY_SECRET_KEY must be the secret of an API key, without spaces."
        if not PROJECT.fullmatch(self.project_id):
            yield "SCALEWAY_PROJECT_ID must be the id of the project that sends."
        if not REGION.fullmatch(self.region):
            yield "SCALEWAY_REGION must be a region such as fr-par."
        if self.topic_arn and not self.topic_arn.startswith("arn:"):
            yield "SCALEWAY_TOPIC_ARN must be the ARN of the topic, such as arn:scw:sns:…"
