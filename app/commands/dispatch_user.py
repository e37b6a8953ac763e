"""``arvel dispatch:user``"""

import sys
from typing import cast, override

from app.access import users
from app.access.permissions import PERMISSIONS, ROLES
from app.access.users import NewUser, UserRefused
from app.commands.answers import NOT_FOUND, OK, Answer, BadInput, plain, show_time
from app.models.queries import second_factors
from app.models.queries import users as queries
from app.models.statements import Row

ACTIONS = ("list", "add", "grant", "password", "disable", "enable", "second-factor-off")
HEADINGS = ["User", "Email", "Roles", "Permissions", "Signs in", "Since (UTC)", "Disabled (UTC)"]


class DispatchUser(Answer):
    signature: str = (
        "dispatch:user {action?} {name?} {--email=} {--role=*} {--permission=*} {--password}"
    )
    description: str = (
        "People who own tokens or sign in: list, or add, grant, password, disable, enable,"
        " second-factor-off NAME."
        f" --role: {', '.join(ROLES)}; --permission: {', '.join(PERMISSIONS)}; both may be"
        " repeated, and grant replaces what the user had. add --password and the action password"
        " ask for a password, or read a line of stdin. Who is disabled has no working token."
    )

    @override
    async def answer(self) -> int:
        action = cast("str | None", self.argument("action")) or "list"
        if action not in ACTIONS:
            raise BadInput(f"Say what to do: one of {', '.join(ACTIONS)}.")
        try:
            return await self.act(action)
        except UserRefused as refused:
            lines = [f"{_option(field)}: {texts[0]}" for field, texts in refused.errors.items()]
            raise BadInput("\n".join(lines)) from None

    async def act(self, action: str) -> int:
        if action == "list":
            return await self.show()
        name = cast("str | None", self.argument("name"))
        if not name:
            raise BadInput(f"Name the user: arvel dispatch:user {action} NAME.")
        if action == "add":
            return await self.add(name)
        row = await queries.find(name)
        if row is None:
            self.error("There is no such user; arvel dispatch:user lists all.")
            return NOT_FOUND
        await self.change(action, row)
        return OK

    async def add(self, name: str) -> int:
        password = self.read_password() if self.option("password") else None
        email = self.text_of("email") or ""
        roles, permissions = self.texts_of("role"), self.texts_of("permission")
        await users.add(NewUser(name, email, password, roles, permissions))
        self.info(f"{plain(name)} is added.")
        if not roles and not permissions:
            self.warn("This user may do nothing yet: see grant.")
        return OK

    async def change(self, action: str, row: Row) -> None:
        name = plain(row["name"])
        if action == "grant":
            await self.grant(row)
            self.info(f"{name} may do that from now on, and nothing else.")
        elif action == "password":
            await users.change_password(row["id"], self.read_password())
            self.info(f"{name} has a new password.")
        elif action == "second-factor-off":
            await second_factors.remove(row["id"])
            self.info(f"{name} signs in by the password alone.")
        elif action == "disable":
            await queries.disable(row["id"])
            self.info(f"{name} is disabled, and so is every token of theirs.")
        else:
            await queries.enable(row["id"])
            self.info(f"{name} is enabled; tokens that were not revoked work again.")

    async def grant(self, row: Row) -> None:
        roles, permissions = self.texts_of("role"), self.texts_of("permission")
        if not roles and not permissions:
            raise BadInput("Say what to grant: --role or --permission. See also disable.")
        await users.grant(row["id"], roles, permissions)

    def read_password(self) -> str:
        """From a person twice, from a program once; never from the command line, which others
        see."""
        if not sys.stdin.isatty():
            return sys.stdin.readline().rstrip("\r\n")
        password = self.secret("Password")
        if self.secret("The same again") != password:
            raise BadInput("These are two different passwords.")
        return password

    async def show(self) -> int:
        rows = await queries.list_users()
        if not rows:
            self.info("No users. arvel dispatch:user add NAME --role=administrator makes one.")
            return OK
        self.table(HEADINGS, [_columns(row) for row in rows])
        return OK


def _option(field: str) -> str:
    return "NAME" if field == "name" else "Password" if field == "password" else f"--{field}"


def _columns(row: Row) -> list[object]:
    return [
        plain(row["name"]),
        plain(row["email"]),
        ", ".join(row["roles"]),
        ", ".join(row["permissions"]),
        "yes" if row["signs_in"] else "no",
        show_time(row["created"]),
        show_time(row["disabled_at"]),
    ]
