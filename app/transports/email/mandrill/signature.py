"""How Mandrill signs its webhooks.

Source: https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/#authenticating-webhook-requests
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from app.transports.http.basic_auth import Login

type Pairs = list[tuple[str, str]]

MOST_FIELDS = 100


def read_form(body: bytes) -> Pairs:
    """The fields of a form; none when it is no form."""
    try:
        text = body.decode("utf-8", "replace")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return []


def sign(key: str, url: str, form: Pairs) -> bytes:
    """SHA-1 over the address as it was registered, and each field's name and value."""
    signed = url + "".join(name + value for name, value in sorted(form))
    code = hmac.digest(key.encode(), signed.encode("utf-8", "replace"), hashlib.sha1)
    return base64.b64encode(code)


def addresses(urls: Iterable[str], logins: Iterable[Login]) -> Iterator[str]:
    """The forms in which our address may have been registered: with a login in it, and without."""
    known = list(logins)
    for url in urls:
        yield url
        for login in known:
            yield with_login(url, login.user, login.password)
            yield with_login(url, quote(login.user, safe=""), quote(login.password, safe=""))


def with_login(url: str, user: str, password: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{parts.netloc}"))
