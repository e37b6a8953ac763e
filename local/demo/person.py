"""Somebody who signs in at the console of the demonstration."""

import secrets

from app.access import users

NAME = "demo"
WORDS = (
    *("amber", "basket", "candle", "dinner", "ember", "forest", "garden", "harbour", "island"),
    *("jacket", "kettle", "lantern", "meadow", "needle", "orchard", "pillow", "quarry", "river"),
)


async def add_person() -> str:
    """A user who may do everything; the password, which nobody had before."""
    password = "-".join(secrets.choice(WORDS) for _ in range(4))
    await users.add(users.NewUser(NAME, "", password, ["administrator"]))
    return password
