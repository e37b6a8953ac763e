"""The transport of any email provider with an API, with the account of its suite."""

from importlib import import_module
from typing import Any, cast

from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.transport import PostmarkTransport
from tests.providers.api_account import SECRET, ApiAccount


def transport_of(name: str, **line: Any) -> Any:
    """``line``: where the API is, and what else the configuration may say."""
    if name == "postmark":
        return PostmarkTransport(PostmarkConfig(server_token=SECRET, **line))
    account = account_of(name)
    return account.kind(account.config(**line))


def account_of(name: str) -> ApiAccount:
    module = import_module(f"tests.providers.{name}.provider")
    [kind] = [one for one in vars(module).values() if is_account(one)]
    return cast("ApiAccount", kind(None))


def is_account(one: object) -> bool:
    return isinstance(one, type) and issubclass(one, ApiAccount) and one is not ApiAccount
