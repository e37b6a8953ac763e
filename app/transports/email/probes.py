"""What each provider can be asked that changes nothing and needs a right key.

The paths stand in the providers' references of their APIs. None of them was tried at an account, so
that an answer which isn't listed here means "can't tell" rather than a fault.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.transports.contract import CannotTell, Check, Fails, Works
from app.transports.http import Answer
from app.transports.http.objects import object_in, read_object, text_in, write_object


@dataclass(frozen=True, slots=True)
class Probe:
    """``path`` may name fields of the configuration in braces. ``content``: what is posted, without
    which it is a GET; a value in braces is a field too.

    ``works``: statuses that only a right key gets, with a JSON object: a page for people comes from
    somewhere else. ``fails``: those of a wrong one. ``proof``: a
    field of the answer with the texts that show a right key, where the status shows nothing.
    """

    path: str
    content: Mapping[str, object] | None = None
    works: frozenset[int] = frozenset({200})
    fails: frozenset[int] = frozenset({401})
    proof: Mapping[str, frozenset[str]] | None = None


PROBES: Mapping[str, Probe] = {
    "amazon_ses": Probe("/v2/email/account", fails=frozenset({401, 403})),
    "brevo": Probe("/account"),
    "mailersend": Probe("/api-quota"),
    "mailgun": Probe("/{domain}/events?limit=1"),
    "mailjet": Probe("/v3/REST/sender?Limit=1"),
    "mandrill": Probe("/users/ping2.json", {"key": "{api_key}"}),
    "postal": Probe(
        "/api/v1/messages/message",
        {"id": 0},
        proof={"code": frozenset({"MessageNotFound"})},
    ),
    "resend": Probe("/domains"),
    "scaleway": Probe("{path}?page_size=1", fails=frozenset({401, 403})),
    "sendgrid": Probe("/scopes"),
    "sparkpost": Probe("/account"),
    "unisender_go": Probe("/system/info.json", {}),
}
"""Mailtrap has no entry: its questions are answered by another host, and for another token."""

KEY_IS_RESTRICTED = frozenset({"restricted_api_key"})
"""Resend's name for a key that may send and nothing else: it is a right one."""


class Asking(Protocol):
    async def get(self, path: str, query: Mapping[str, str | int] | None = None) -> Answer: ...

    async def ask(self, path: str, content: bytes) -> Answer: ...


async def probe(transport: Asking, asked: Probe, config: object) -> Answer:
    """Raises :class:`NoAnswer`."""
    path = fill(asked.path, config)
    if asked.content is None:
        path, _, query = path.partition("?")
        name, _, value = query.partition("=")
        return await transport.get(path, {name: value} if name else None)
    content = {name: fill(value, config) for name, value in asked.content.items()}
    return await transport.ask(path, write_object(content))


def fill(value: Any, config: object) -> Any:
    """A text with fields of the configuration in the places of their names."""
    if not isinstance(value, str) or "{" not in value:
        return value
    before, _, rest = value.partition("{")
    name, _, after = rest.partition("}")
    return f"{before}{getattr(config, name)}{after}"


def read_probe(asked: Probe, answer: Answer, provider: str) -> Check:
    read = read_object(answer.body)
    said = read or {}
    if read is not None and is_proven(asked, answer, said):
        return Works(f"{provider} was reached and knows the key.")
    if text_in(said, "name") in KEY_IS_RESTRICTED:
        return Works(f"{provider} was reached and knows the key, which may do nothing but send.")
    if answer.status in asked.fails or is_refused(said):
        return Fails(f"{provider} was reached and does not accept the key.")
    return CannotTell(f"{provider} was reached; its answer (HTTP {answer.status}) proves nothing.")


def is_proven(asked: Probe, answer: Answer, said: Mapping[str, object]) -> bool:
    if answer.status not in asked.works:
        return False
    if asked.proof is None:
        return True
    inner = object_in(said, "data")
    return all(text_in(inner, name) in right for name, right in asked.proof.items())


REFUSALS = frozenset({"Invalid_Key", "InvalidServerAPIKey", "AccessDenied", "ServerSuspended"})
"""Mandrill's and Postal's words for a key that they don't know (any more), whatever the status."""


def is_refused(said: Mapping[str, object]) -> bool:
    inner = object_in(said, "data")
    return bool({text_in(said, "name"), text_in(inner, "code")} & REFUSALS)
