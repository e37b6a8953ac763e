"""Users and tokens for tests of what somebody may do."""

import uuid
from datetime import UTC, datetime, timedelta

from app.access.caller import Bounds
from app.access.permissions import PERMISSIONS
from app.access.tokens import Wish, issue
from app.models.queries import users


async def put_user(*permissions: str, roles: tuple[str, ...] = (), name: str = "") -> uuid.UUID:
    """A user with these permissions."""
    key = uuid.uuid7()
    await users.add(key, name or f"user {key}", "", None, roles, permissions)
    return key


async def put_token(
    *permissions: str, networks: tuple[str, ...] = (), bounds: Bounds | None = None
) -> str:
    """The text of a token with these permissions (all, when none is named) and a user for it."""
    held = permissions or tuple(PERMISSIONS)
    user = await put_user(*held)
    end = datetime.now(UTC) + timedelta(days=1)
    wish = Wish("a test", held, end, networks, bounds or Bounds())
    return (await issue(user, frozenset(held), wish)).text


def bearer(token: str) -> dict[str, str]:
    """The header that carries a token."""
    return {"authorization": f"Bearer {token}"}
