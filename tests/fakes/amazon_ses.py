"""An Amazon SES account over HTTP on a real socket of the loopback.

It checks signatures by AWS's description of them, not by the library that made them. ``insights``
is what it tells of every message.
"""

import base64
import hashlib
import hmac
import json
import re
import ssl
from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi

KEY_ID = "AKIATESTTESTTEST"
REGION = "eu-west-1"
SCHEME = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d{8})/([a-z0-9-]+)/ses/aws4_request, "
    r"SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})"
)


class FakeAmazonSes(FakeApi):
    def __init__(self, *, secret: str = "fake-secret", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.secret = secret
        self.insights: list[dict[str, Any]] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/v2/email/outbound-emails", self.check_and_take),
            web.get("/v2/email/insights/{id}/", self.show),
        ]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.method == "POST" and request.content_type != "application/json":
            return error(400, "SerializationException", "not JSON")
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["Destination"]["ToAddresses"][0]

    @override
    def answer(self, body: bytes) -> Any:
        return {"MessageId": f"0102019aaaaabbbb-{len(self.bodies):08}-000000"}

    async def check_and_take(self, request: web.Request) -> web.StreamResponse:
        wrong = self.wrong_signature(request, await request.read())
        return wrong or await self.take(request)

    async def show(self, request: web.Request) -> web.StreamResponse:
        wrong = self.wrong_signature(request, b"")
        if wrong is not None:
            return wrong
        told = {"MessageId": request.match_info["id"], "Insights": self.insights}
        if self.next_searches:
            return await self.next_searches.pop(0)(request, told)
        return web.json_response(told)

    def wrong_signature(self, request: web.Request, body: bytes) -> web.StreamResponse | None:
        """What SES answers unless the request is signed with the account's key."""
        found = SCHEME.fullmatch(request.headers.get("Authorization", ""))
        if found is None:
            return error(403, "MissingAuthenticationTokenException", "no signature")
        key_id, day, region, names, signature = found.groups()
        if key_id != KEY_ID:
            return error(403, "UnrecognizedClientException", "The security token is invalid.")
        scope = f"{day}/{region}/ses/aws4_request"
        right = self.sign(request, body, scope, names)
        if region != REGION or not hmac.compare_digest(right, signature):
            return error(403, "InvalidSignatureException", "The signature does not match.")
        return None

    def sign(self, request: web.Request, body: bytes, scope: str, names: str) -> str:
        headers = "".join(f"{name}:{request.headers[name].strip()}\n" for name in names.split(";"))
        digest = hashlib.sha256(body).hexdigest()
        asked = f"{request.method}\n{request.path}\n\n{headers}\n{names}\n{digest}"
        hashed = hashlib.sha256(asked.encode()).hexdigest()
        to_sign = f"AWS4-HMAC-SHA256\n{request.headers['X-Amz-Date']}\n{scope}\n{hashed}"
        key = f"AWS4{self.secret}".encode()
        for part in (*scope.split("/"), to_sign):
            key = hmac.digest(key, part.encode(), "sha256")
        return key.hex()


def error(status: int, name: str, text: str) -> web.StreamResponse:
    headers = {"x-amzn-ErrorType": f"{name}:http://internal.amazon.com/coral/"}
    return web.json_response({"message": text}, status=status, headers=headers)


def letter_in(body: bytes) -> Message:
    return message_from_bytes(base64.b64decode(json.loads(body)["Content"]["Raw"]["Data"]))
