"""Who may report: Twilio's signature over our public URL."""

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twilio.request_validator import RequestValidator

from app.transports.contract import RawRequest, WebhookRefused
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_signature import port_variants
from app.transports.sms.twilio_webhook import TwilioWebhook

ACCOUNT = "AC" + "b" * 32
TOKEN = "test-twilio-auth-token"
SHARED_KEY = "test-twilio-shared-key-secret"
FORM = "application/x-www-form-urlencoded"
HOOK = "https://hooks.example.com/webhooks/sms/twilio"

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "twilio-signatures.json").read_text()
)
BY_NAME = {vector["name"]: vector for vector in VECTORS}


def webhook(**settings: Any) -> TwilioWebhook:
    return TwilioWebhook(TwilioConfig(**({"account_sid": ACCOUNT, "auth_token": TOKEN} | settings)))


def request_of(
    url: str, body: bytes | str, signature: str, content_type: str = FORM, **headers: str
) -> RawRequest:
    return RawRequest(
        method="POST",
        urls=(url,),
        query_string=urlsplit(url).query.encode(),
        headers={"content-type": content_type, "x-twilio-signature": signature} | headers,
        body=body if isinstance(body, bytes) else body.encode(),
    )


def signed(url: str, fields: dict[str, str], *, token: str = TOKEN) -> RawRequest:
    signature = RequestValidator(token).compute_signature(url, fields)
    return request_of(url, urlencode(fields), signature)


def vector_request(vector: dict[str, Any], **changes: Any) -> RawRequest:
    given = {
        "url": vector["url"],
        "body": vector["raw_body"],
        "signature": vector["signature"],
        "content_type": vector["content_type"],
    }
    if vector["algorithm"] == "HMAC_SHA256":
        given["x-twilio-webhooks-signature-settings"] = "key=SK1,algorithm=HMAC_SHA256"
    return request_of(**(given | changes))


def webhook_for(vector: dict[str, Any], **settings: Any) -> TwilioWebhook:
    shared = {"shared_key": SHARED_KEY} if vector["algorithm"] == "HMAC_SHA256" else {}
    return webhook(**(shared | settings))


def refused(hook: TwilioWebhook, request: RawRequest) -> str:
    with pytest.raises(WebhookRefused) as caught:
        hook.authenticate(request)
    return caught.value.reason


each_vector = pytest.mark.parametrize("vector", VECTORS, ids=[v["name"] for v in VECTORS])


@each_vector
def test_vector_is_accepted(vector: dict[str, Any]) -> None:
    webhook_for(vector).authenticate(vector_request(vector))


@each_vector
def test_vector_of_another_secret_is_refused(vector: dict[str, Any]) -> None:
    hook = webhook_for(vector, auth_token="another")
    if vector["algorithm"] == "HMAC_SHA256":
        hook = webhook_for(vector, shared_key="another")
    refused(hook, vector_request(vector))


def tampered_urls(url: str) -> dict[str, str]:
    path, mark, query = url.partition("?")
    tampered = {
        "another slash": f"{path}/{mark}{query}",
        "http for https": url.replace("https://", "http://"),
        "another host": url.replace("hooks.example.com", "hooks.example.org"),
        "a key added": f"{url}{'&' if mark else '?'}attempt=1",
    }
    if query:
        tampered["a key changed"] = f"{path}?{query}0"
        tampered["the query dropped"] = path
    return tampered


@pytest.mark.parametrize(
    ("vector", "url"),
    [
        pytest.param(vector, url, id=f"{vector['name']}: {what}")
        for vector in VECTORS
        for what, url in tampered_urls(vector["url"]).items()
    ],
)
def test_vector_for_another_url_is_refused(vector: dict[str, Any], url: str) -> None:
    refused(webhook_for(vector), vector_request(vector, url=url))


@each_vector
def test_vector_with_another_body_is_refused(vector: dict[str, Any]) -> None:
    is_form = vector["content_type"] == FORM
    body = vector["raw_body"] + ("&Extra=1" if is_form else " ")
    refused(webhook_for(vector), vector_request(vector, body=body))


@each_vector
def test_vector_without_a_signature_is_refused(vector: dict[str, Any]) -> None:
    refused(webhook_for(vector), vector_request(vector, signature=""))


@each_vector
def test_vector_with_a_signature_of_odd_characters_is_refused(vector: dict[str, Any]) -> None:
    refused(webhook_for(vector), vector_request(vector, signature="é\udcff" * 9))


# behind a proxy


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "hooks.example.com", "x-forwarded-proto": "https"},
        {"host": "evil.example", "x-forwarded-proto": "http", "x-forwarded-host": "evil.example"},
    ],
)
def test_only_the_configured_url_counts_whatever_a_proxy_says(headers: dict[str, str]) -> None:
    """Field report 36."""
    signature = RequestValidator(TOKEN).compute_signature(HOOK + "?queue_item=1", {"To": "+1555"})
    request = RawRequest(
        method="POST",
        urls=("http://127.0.0.1:8000/webhooks/sms/twilio?queue_item=1",),
        query_string=b"queue_item=1",
        headers={"content-type": FORM, "x-twilio-signature": signature} | headers,
        body=b"To=%2B1555",
    )
    webhook(webhook_url=HOOK).authenticate(request)
    webhook(webhook_url=HOOK + "#rc=3").authenticate(request)
    webhook(public_urls=("https://old.example.com/t", HOOK)).authenticate(request)
    refused(webhook(webhook_url="https://other.example.com/t"), request)


@pytest.mark.parametrize(
    "query",
    ["a=%2B", "a=+", "a=%20", "a=", "a", "a=1&a=2", "a=2&a=1", "q=%E2%82%AC&&b=%2f", "=", "x=%"],
)
def test_query_counts_byte_for_byte(query: str) -> None:
    request = signed(f"{HOOK}?{query}", {"To": "+15005550009", "Empty": ""})
    webhook().authenticate(request)
    other = query.replace("%2B", "+") if "%2B" in query else query + "&"
    signature = request.headers["x-twilio-signature"]
    refused(webhook(), request_of(f"{HOOK}?{other}", request.body, signature))


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("Body=a%2Bb", {"Body": ["a+b"]}),
        ("Body=a+b", {"Body": ["a b"]}),
        ("Body=&To=%2B1", {"Body": [""], "To": ["+1"]}),
        ("A=2&A=1&A=2", {"A": ["2", "1", "2"]}),
        ("B=1&A=2", {"A": ["2"], "B": ["1"]}),
        ("N%C3%A4me=%F0%9F%91%8B", {"Näme": ["👋"]}),
        ("", {}),
    ],
)
def test_form_is_signed_decoded_with_blank_and_repeated_fields(
    body: str, fields: dict[str, list[str]]
) -> None:
    signature = RequestValidator(TOKEN).compute_signature(HOOK, Repeated(fields))
    webhook().authenticate(request_of(HOOK, body, signature))


class Repeated(dict[str, list[str]]):
    """The kind of dictionary that the official validator takes repeated fields from."""

    def getlist(self, name: str) -> list[str]:
        return self[name]


NAMES = st.text("ABab+ é&=", min_size=1, max_size=4)


@given(st.dictionaries(NAMES, st.lists(st.text(max_size=5), min_size=1, max_size=3), max_size=4))
def test_any_form_that_the_official_validator_accepts_is_accepted(
    fields: dict[str, list[str]],
) -> None:
    signature = RequestValidator(TOKEN).compute_signature(HOOK, Repeated(fields))
    request = request_of(HOOK, urlencode(fields, doseq=True), signature)
    webhook().authenticate(request)


# ports


@pytest.mark.parametrize("ours", [HOOK, HOOK.replace(".com", ".com:443")])
@pytest.mark.parametrize("theirs", [HOOK, HOOK.replace(".com", ".com:443")])
def test_default_port_may_be_named_on_either_side(ours: str, theirs: str) -> None:
    signature = RequestValidator(TOKEN).compute_signature(theirs, {"To": "1"})
    assert RequestValidator(TOKEN).validate(ours, {"To": "1"}, signature)
    webhook().authenticate(request_of(ours, "To=1", signature))


@pytest.mark.parametrize(
    ("url", "without", "named"),
    [
        ("https://h.example/x", "https://h.example/x", "https://h.example:443/x"),
        ("http://h.example/x?a=:1", "http://h.example/x?a=:1", "http://h.example:80/x?a=:1"),
        ("https://h.example:8443/x", "https://h.example/x", "https://h.example:8443/x"),
        ("https://u:p@h.example/x", "https://u:p@h.example/x", "https://u:p@h.example:443/x"),
        ("https://u:p@h.example:8/x", "https://u:p@h.example/x", "https://u:p@h.example:8/x"),
        ("https://[::1]/x", "https://[::1]/x", "https://[::1]:443/x"),
        ("https://[::1]:8/x", "https://[::1]/x", "https://[::1]:8/x"),
        ("https://h.example", "https://h.example", "https://h.example:443"),
        ("https://h.example?a=1", "https://h.example?a=1", "https://h.example:443?a=1"),
    ],
)
def test_only_the_port_of_a_url_is_changed(url: str, without: str, named: str) -> None:
    assert port_variants(url) == (without, named)


# accounts, secrets and algorithms


def test_right_signature_for_a_foreign_account_is_refused() -> None:
    fields = {"AccountSid": "AC" + "f" * 32, "MessageSid": "SM" + "a" * 32}
    assert refused(webhook(), signed(HOOK, fields)) == "the AccountSid is not ours"
    webhook().authenticate(signed(HOOK, fields | {"AccountSid": ACCOUNT}))


def test_foreign_account_beside_ours_is_refused() -> None:
    foreign = "AC" + "f" * 32
    fields = Repeated({"AccountSid": [ACCOUNT, foreign]})
    signature = RequestValidator(TOKEN).compute_signature(HOOK, fields)
    refused(webhook(), request_of(HOOK, urlencode(fields, doseq=True), signature))


def test_foreign_account_in_json_is_refused() -> None:
    body = json.dumps({"AccountSid": "AC" + "f" * 32, "MessageSid": "SM" + "a" * 32})
    assert refused(webhook(), signed_json(body)) == "the AccountSid is not ours"
    webhook().authenticate(signed_json(json.dumps({"AccountSid": ACCOUNT})))


def signed_json(body: str) -> RawRequest:
    url = f"{HOOK}?bodySHA256={hashlib.sha256(body.encode()).hexdigest()}"
    signature = RequestValidator(TOKEN).compute_signature(url, {})
    return request_of(url, body, signature, "application/json")


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "multipart/form-data"])
def test_body_that_no_signature_covers_is_refused(content_type: str) -> None:
    signature = RequestValidator(TOKEN).compute_signature(HOOK, {})
    refused(webhook(), request_of(HOOK, '{"MessageSid": "x"}', signature, content_type))


def test_both_tokens_are_valid_while_the_token_is_changed() -> None:
    hook = webhook(auth_token="new", previous_auth_token="old")
    hook.authenticate(signed(HOOK, {"To": "1"}, token="new"))
    hook.authenticate(signed(HOOK, {"To": "1"}, token="old"))
    refused(hook, signed(HOOK, {"To": "1"}, token=TOKEN))


def test_signature_with_an_empty_secret_is_refused() -> None:
    hook = webhook(auth_token="", api_key_sid="SK1", api_key_secret="x")
    refused(hook, signed(HOOK, {"To": "1"}, token=""))
    refused(hook, with_sha256(signed_sha256("")))


def test_algorithm_header_means_nothing_without_a_shared_key() -> None:
    vector = BY_NAME["shared key HMAC-SHA256"]
    refused(webhook(), vector_request(vector))
    refused(webhook(auth_token=SHARED_KEY), vector_request(vector))


def test_shared_key_is_not_got_round_by_leaving_out_its_header() -> None:
    request = signed(HOOK, {"To": "1"})
    refused(webhook(shared_key=SHARED_KEY), request)
    webhook(shared_key=SHARED_KEY, sha1_with_shared_key=True).authenticate(request)


def test_unknown_algorithm_is_refused() -> None:
    request = signed(HOOK, {"To": "1"})
    headers = {"x-twilio-webhooks-signature-settings": "key=SK1,algorithm=HMAC_MD5"}
    for hook in (webhook(), webhook(shared_key=SHARED_KEY)):
        refused(
            hook, request_of(HOOK, request.body, request.headers["x-twilio-signature"], **headers)
        )


def signed_sha256(secret: str) -> str:
    return RequestValidator(secret).compute_signature(HOOK, {"To": "1"}, "HMAC_SHA256")


def with_sha256(signature: str) -> RawRequest:
    headers = {"x-twilio-webhooks-signature-settings": "key=SK1,algorithm=HMAC_SHA256"}
    return request_of(HOOK, "To=1", signature, **headers)


# bounds


def test_flood_of_fields_is_refused() -> None:
    refused(webhook(), request_of(HOOK, "&".join(f"f{n}=" for n in range(5000)), "x"))


def test_large_body_is_refused() -> None:
    refused(webhook(), signed(HOOK, {"Body": "x" * 70_000}))
