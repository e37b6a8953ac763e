"""What is said of each provider's features is what its requests hold."""

import base64
import re
from dataclasses import replace
from typing import Any

import pytest

from app.configuration.table.email import EMAIL_PROVIDERS
from app.transports.contract import Address, File, MetadataRefused, OutboundEmail
from app.transports.email.api_transport import ApiTransport
from app.transports.email.unsendable import UnsendableEmail
from app.transports.features import FEATURES, MANY_REPLIES, MANY_TAGS, Asked
from tests.providers.emails import an_email
from tests.providers.every import transport_of

NAMES = [one.name for one in EMAIL_PROVIDERS]
DOMAIN = "ids.example.org"
BASE64 = re.compile(r"[A-Za-z0-9+/=]{60,}")
LOGO = File("logo.png", "image/png", b"\x89PNG", "logo@inline")


def written(name: str, **fields: Any) -> str | None:
    """The request for an email, and the message inside it; ``None`` where it can't be sent."""
    transport = transport_of(name, base_url="https://x.example.com", message_id_domain=DOMAIN)
    plain = an_email(html='<img src="cid:logo@inline">', metadata={})
    email: OutboundEmail = replace(plain, **fields)
    try:
        body: str = transport._build(email).content.decode("utf-8", "replace")
    except MetadataRefused, UnsendableEmail:
        return None
    texts = [base64.b64decode(found).decode("utf-8", "replace") for found in BASE64.findall(body)]
    return " ".join([body, *texts])


@pytest.mark.parametrize("name", NAMES)
def test_so_many_tags_go_along(name: str) -> None:
    tags = tuple(f"tag-no-{n}" for n in range(MANY_TAGS))
    body = written(name, tags=tags) or ""
    assert sum(f"{tag}" in body for tag in tags) == FEATURES[name].tags


@pytest.mark.parametrize("name", NAMES)
def test_so_many_may_be_replied_to(name: str) -> None:
    everybody = tuple(Address(f"reply{n}@example.com") for n in range(MANY_REPLIES))
    most = FEATURES[name].reply_to
    body = written(name, reply_to=everybody[:most]) or ""
    assert all(one.email in body for one in everybody[:most])
    if most < MANY_REPLIES:
        assert written(name, reply_to=everybody[: most + 1]) is None


@pytest.mark.parametrize("name", NAMES)
def test_images_are_shown_or_refused(name: str) -> None:
    body = written(name, files=(LOGO,))
    assert (body is not None) == FEATURES[name].inline


@pytest.mark.parametrize("name", NAMES)
def test_our_keys_go_along(name: str) -> None:
    body = written(name, metadata={"vdq_queue_item": "key-93741"}) or ""
    assert ("key-93741" in body) == FEATURES[name].metadata


@pytest.mark.parametrize("name", NAMES)
def test_the_message_id_is_ours(name: str) -> None:
    assert (DOMAIN in (written(name) or "")) == FEATURES[name].message_id


@pytest.mark.parametrize("name", [name for name in NAMES if name != "postmark"])
def test_who_can_be_asked_is_asked(name: str) -> None:
    asks = type(transport_of(name, base_url="https://x")).look_up is not ApiTransport.look_up
    assert asks == (FEATURES[name].asked is not Asked.NOTHING)
