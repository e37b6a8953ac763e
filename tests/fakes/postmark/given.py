"""The application with Postmark as its email channel, and what tests of it begin with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from yarl import URL

from app.items import add_email
from app.models import statements
from tests.fakes.items import state_of
from tests.fakes.postmark.server import FakePostmark
from tests.fakes.waiting import until
from tests.fakes.web import Web, serving

ROUTE = "/webhooks/email/postmark"
PASSWORD = "t6Xn0c-RPb3Ew0mHq5VjA9sKzLyG2dUoNf8iWvB4eTk"
SENDER = {"name": "Shop", "email": "shop@example.com"}
ADA = {"name": "Ada", "email": "Ada@example.com"}


@asynccontextmanager
async def pillarbox(postmark: FakePostmark, folder: Path, **settings: str) -> AsyncIterator[Web]:
    """Worker and web in one process; Postmark reports to it behind user and password."""
    environment = {
        "STORAGE_PATH": str(folder),
        "EMBEDDED_WORKER": "true",
        "DISPATCH_ALLOW_REAL": "*",
        "DISPATCH_RETRY_BASE": "0.2",
        "MESSAGE_ID_DOMAIN": "mail.example.com",
        "POSTMARK_SERVER_TOKEN": postmark.token,
        "POSTMARK_BASE_URL": postmark.base_url,
        "POSTMARK_WEBHOOK_USER": "hooks",
        "POSTMARK_WEBHOOK_PASSWORD": PASSWORD,
        **settings,
    }
    async with serving(**environment) as web:
        postmark.webhook_url = webhook_url(web)
        yield web


def webhook_url(web: Web, password: str = PASSWORD) -> str:
    """The address that Postmark is given."""
    return str(URL(web.url + ROUTE).with_user("hooks").with_password(password))


async def add_one(**fields: object) -> UUID:
    """One email to Ada, and to whoever is named beside her; the id of her item."""
    given: dict[str, object] = {
        "sender": SENDER,
        "to": [ADA],
        "subject": "Your receipt",
        "text": "Thanks.",
    }
    item, *_ = await add_email(**(given | fields))
    return item.id


async def until_state(item: UUID, state: str) -> None:
    async def has_state() -> bool:
        return await state_of(item) == state

    await until(has_state)


async def verdicts() -> list[str | None]:
    """What became of the stored reports, in the order in which they came."""
    rows = await statements.run("SELECT verdict FROM delivery_events ORDER BY received_at, id")
    return [row["verdict"] for row in rows]
