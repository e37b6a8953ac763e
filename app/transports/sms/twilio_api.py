"""The edge to Twilio's untyped SDK: three requests in, plain values out.

The SDK builds the requests and reads the answers; the bytes go over our pooled client.
"""

from collections.abc import Awaitable, Mapping
from datetime import datetime
from typing import Protocol, cast

import httpx
from twilio.base.exceptions import TwilioException
from twilio.rest import Client

from app.transports.contract import Go
from app.transports.http import Answer
from app.transports.sms.twilio_client import TwilioCall
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_replies import Account, Message, Refusal, Reply, Unreadable

UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the SDK raises on an answer of another shape than it expects."""


class _Fetch(Protocol):
    def fetch_async(self) -> Awaitable[object]: ...


class _Messages(Protocol):
    def create_async(self, **fields: object) -> Awaitable[object]: ...

    def __call__(self, sid: str) -> _Fetch: ...


class _Accounts(Protocol):
    def __call__(self, sid: str) -> _Fetch: ...


class TwilioApi:
    """The three requests that we make of one account."""

    def __init__(self, config: TwilioConfig, client: httpx.AsyncClient) -> None:
        self._config = config
        self._client = client

    async def create(self, fields: Mapping[str, object], go: Go) -> Reply:
        """Hand a message over; ``fields`` by the SDK's names. Raises :class:`NoAnswer`."""
        call = TwilioCall(self._client, self._config, go)
        return await read(call, self._messages(call).create_async(**fields))

    async def fetch(self, sid: str) -> Reply:
        """Ask for one message. Raises :class:`NoAnswer`."""
        call = TwilioCall(self._client, self._config)
        return await read(call, self._messages(call)(sid).fetch_async())

    async def account(self) -> Account | Refusal | Unreadable:
        """Ask for the account itself. Raises :class:`NoAnswer`."""
        call = TwilioCall(self._client, self._config)
        accounts = cast("_Accounts", self._sdk(call).api.v2010.accounts)
        try:
            instance = await accounts(self._config.account_sid).fetch_async()
        except TwilioException as error:
            return refusal_from(call.answer, getattr(error, "code", None))
        except UNREADABLE:
            if call.answer is None:
                raise
            return Unreadable(call.answer.status)
        return Account(_text(instance, "sid"), _text(instance, "status"))

    def _messages(self, call: TwilioCall) -> _Messages:
        return cast("_Messages", self._sdk(call).messages)

    def _sdk(self, call: TwilioCall) -> Client:
        username, password = self._config.credentials
        return Client(
            username,
            password,
            self._config.account_sid,
            http_client=call,
            environment={"TWILIO_REGION": ""},  # or the SDK reads the process's environment
        )


async def read(call: TwilioCall, request: Awaitable[object]) -> Reply:
    try:
        return message_from(await request)
    except TwilioException as error:
        return refusal_from(call.answer, getattr(error, "code", None))
    except UNREADABLE:
        if call.answer is None:
            raise
        return Unreadable(call.answer.status)


def refusal_from(answer: Answer | None, code: object) -> Refusal:
    """The SDK's exception doesn't carry the headers, and may take its status from the body.

    A code is a number; whatever else stands in its place is none.
    """
    if answer is None:
        raise RuntimeError("Twilio's SDK refused the request before it was sent.")
    named = str(code)
    return Refusal(answer.status, named if named.isdigit() else "", answer.retry_after)


def message_from(instance: object) -> Message:
    updated = getattr(instance, "date_updated", None)
    return Message(
        sid=_text(instance, "sid"),
        account_sid=_text(instance, "account_sid"),
        status=_text(instance, "status"),
        error_code=_text(instance, "error_code"),
        recipient=_text(instance, "to"),
        updated=updated if isinstance(updated, datetime) else None,
    )


def _text(instance: object, name: str) -> str:
    value = getattr(instance, name, None)
    return str(value) if isinstance(value, str | int) else ""
