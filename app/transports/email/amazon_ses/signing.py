"""Signatures of requests to AWS, version 4, by AWS's own library."""

from typing import Protocol, cast

import httpx

from app.transports.email.amazon_ses.config import AmazonSesConfig

SERVICE = "ses"


class Auth(Protocol):
    """What is used of the library, which names no types."""

    def add_auth(self, request: object) -> None: ...


class Signer:
    """Signs with the keys of one account. The signature names the time, and is good for minutes."""

    def __init__(self, config: AmazonSesConfig) -> None:
        # Half a second that only those need who use the channel.
        from botocore.auth import SigV4Auth
        from botocore.credentials import Credentials

        token = config.session_token or None
        credentials = Credentials(config.access_key_id, config.secret_access_key, token)
        self._auth = cast("Auth", SigV4Auth(credentials, SERVICE, config.region))

    def sign(self, request: httpx.Request) -> None:
        """Adds the headers that prove who asks."""
        from botocore.awsrequest import AWSRequest

        signed = AWSRequest(
            method=request.method,
            url=str(request.url),
            data=request.content,
            headers={"Content-Type": request.headers.get("Content-Type", "application/json")},
        )
        self._auth.add_auth(signed)
        request.headers.update({str(name): str(value) for name, value in signed.headers.items()})
