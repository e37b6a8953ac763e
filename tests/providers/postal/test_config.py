"""What Postal must be told."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.keys import read_key
from app.transports.email.postal.transport import PostalTransport
from app.transports.http.basic_auth import Login
from tests.providers.postal.signing import OURS, public_text

GOOD: dict[str, Any] = {"api_key": "canary", "base_url": "https://postal.example.com"}
PEM = OURS.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
CURVE = (
    ec.generate_private_key(ec.SECP256R1())
    .public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    .decode()
)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": ""}, "POSTAL_API_KEY"),
        ({"api_key": "canary\r\nX-Evil: b"}, "POSTAL_API_KEY"),
        ({"base_url": ""}, "POSTAL_BASE_URL"),
        ({"base_url": "postal.example.com"}, "POSTAL_BASE_URL"),
        ({"public_key": "canary"}, "POSTAL_PUBLIC_KEY"),
        ({"public_key": CURVE}, "POSTAL_PUBLIC_KEY"),
        ({"previous_public_key": "canary"}, "POSTAL_PREVIOUS_PUBLIC_KEY"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        PostalConfig(**(GOOD | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    assert "canary" not in repr(PostalConfig(**GOOD, webhook_logins=(Login("hooks", "canary"),)))


@pytest.mark.parametrize(
    "written",
    [
        public_text(OURS),
        PEM,
        PEM.replace("\n", " "),
        f"v=DKIM1; t=s; h=sha256; p={public_text(OURS)};",
    ],
    ids=["base64", "pem", "pem on one line", "record"],
)
def test_the_key_is_read_in_every_form_in_which_it_is_found(written: str) -> None:
    assert read_key(written) == OURS.public_key()


@pytest.mark.parametrize(
    ("settings", "reports", "signs"),
    [
        ({}, False, False),
        ({"public_key": public_text(OURS)}, True, True),
        ({"previous_public_key": public_text(OURS)}, True, True),
        ({"webhook_logins": (Login("hooks", "p"),)}, True, False),
    ],
)
def test_there_is_a_route_as_soon_as_something_protects_it(
    settings: dict[str, Any], reports: bool, signs: bool
) -> None:
    config = PostalConfig(**GOOD, **settings)
    assert config.takes_reports is reports
    assert PostalTransport(config).facts.signs_webhooks is signs
