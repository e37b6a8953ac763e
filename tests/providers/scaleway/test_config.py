"""What Scaleway must be told."""

from typing import Any

import pytest

from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.http.basic_auth import Login

GOOD: dict[str, Any] = {"secret_key": "canary", "project_id": "proj-1"}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"secret_key": ""}, "SCALEWAY_SECRET_KEY"),
        ({"secret_key": "canary\r\nX-Evil: b"}, "SCALEWAY_SECRET_KEY"),
        ({"project_id": ""}, "SCALEWAY_PROJECT_ID"),
        ({"project_id": "a b"}, "SCALEWAY_PROJECT_ID"),
        ({"region": "../x"}, "SCALEWAY_REGION"),
        ({"topic_arn": "reports"}, "SCALEWAY_TOPIC_ARN"),
        ({"base_url": "api.scaleway.com"}, "SCALEWAY_BASE_URL"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        ScalewayConfig(**(GOOD | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    assert "canary" not in repr(ScalewayConfig(**GOOD, webhook_logins=(Login("h", "canary"),)))


def test_the_region_is_part_of_the_address() -> None:
    assert ScalewayConfig(**GOOD, region="nl-ams").path.endswith("/regions/nl-ams/emails")
