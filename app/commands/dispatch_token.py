"""``arvel dispatch:token``"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import ClassVar, override
from uuid import UUID

from app.access.caller import Bounds
from app.access.permissions import ROLES, granted_by
from app.access.plaintext import PREFIX
from app.access.tokens import TokenRefused, Wish, issue
from app.commands.answers import (
    NOT_FOUND,
    OK,
    Answer,
    BadInput,
    name_option,
    plain,
    read_choice,
    shorten,
    show_time,
)
from app.commands.given import read_time
from app.models.queries import access as queries
from app.models.queries import users
from app.models.statements import Row

MOST = 500
HEADINGS = ["Token", "User", "Name", "Begins", "May", "Until (UTC)", "Last used (UTC)", "Revoked"]
DAYS = re.compile(r"([1-9][0-9]{0,3})d", re.ASCII)
USUAL = "90d"


class DispatchToken(Answer):
    signature: str = (
        "dispatch:token {--user=} {--name=} {--ability=*} {--role=} {--expires=} {--network=*}"
        " {--sender=*} {---sms-prefix|sms_prefix=*} {---hourly-cap|hourly_cap=}"
        " {---daily-cap|daily_cap=} {---max-receivers|max_receivers=} {--list} {--revoke=}"
        " {--issued}"
    )
    description: str = (
        "Issue an API token: --user NAME --name WHAT-FOR, with --ability (repeated) or --role"
        f" ({', '.join(ROLES)}), within what the user may. --expires 30d or a time (ISO 8601 with"
        f" a zone), {USUAL} by default. Bounds: --network 192.0.2.0/24, --sender (address, @domain"
        " or number), --sms-prefix +49 (these may be repeated), --hourly-cap, --daily-cap,"
        " --max-receivers. The token is printed once, alone on stdout. --list shows all (or those"
        " of --user); --revoke ID ends one, with --issued also those that it issued."
    )
    options: ClassVar[Mapping[str, str]] = {
        "abilities": "--ability",
        "expires_at": "--expires",
        "networks": "--network",
        "senders": "--sender",
        "sms_prefixes": "--sms-prefix",
    }

    @override
    async def answer(self) -> int:
        revoked = self.text_of("revoke")
        if revoked is not None:
            return await self.revoke(revoked)
        return await (self.show() if self.option("list") else self.issue())

    async def issue(self) -> int:
        user = await self.find_user()
        if user is None:
            return NOT_FOUND
        wish = self.wish()
        try:
            issued = await issue(user["id"], granted_by(user["roles"], user["permissions"]), wish)
        except TokenRefused as refused:
            raise BadInput(_lines(refused, self.options)) from None
        self.line(issued.text)
        until = f"{wish.expires_at:%Y-%m-%d %H:%M} (UTC)"
        self.warn(f"Token {issued.id} works until {until}. It is not shown again.")
        return OK

    async def find_user(self) -> Row | None:
        name = self.text_of("user")
        if not name:
            raise BadInput("--user: Name whose token it shall be; dispatch:user lists all.")
        row = await users.find(name)
        if row is None:
            self.error("There is no such user; arvel dispatch:user lists all.")
        return row

    def wish(self) -> Wish:
        role = read_choice("--role", self.text_of("role"), ROLES)
        return Wish(
            name=self.text_of("name") or "",
            abilities=[*self.texts_of("ability"), *(ROLES[role] if role else ())],
            expires_at=read_end(self.text_of("expires") or USUAL),
            networks=self.texts_of("network"),
            bounds=Bounds(
                tuple(self.texts_of("sender")),
                tuple(self.texts_of("sms_prefix")),
                self.number("hourly_cap"),
                self.number("daily_cap"),
                self.number("max_receivers"),
            ),
        )

    def number(self, name: str) -> int | None:
        text = self.text_of(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and int(text[:10]) > 0 and len(text) <= 9):
            raise BadInput(f"--{name.replace('_', '-')}: Must be a whole number, 1 or more.")
        return int(text)

    async def show(self) -> int:
        user = None
        if self.text_of("user"):
            user = await self.find_user()
            if user is None:
                return NOT_FOUND
        rows = await queries.list_tokens(user["id"] if user else None, None, MOST)
        if not rows:
            self.info("No tokens.")
            return OK
        self.table(HEADINGS, [_columns(row) for row in rows])
        return OK

    async def revoke(self, text: str) -> int:
        try:
            token_id = UUID(text)
        except ValueError:
            raise BadInput("--revoke: Must be a token's id, as --list shows it.") from None
        count = await queries.revoke(token_id, issued=bool(self.option("issued")))
        if not count:
            self.error("There is no such token; --list shows all.")
            return NOT_FOUND
        self.info("Revoked." if count == 1 else f"Revoked, with {count - 1} that it issued.")
        return OK


def read_end(text: str) -> datetime:
    """``90d`` from now, or a time."""
    if days := DAYS.fullmatch(text):
        return datetime.now(UTC) + timedelta(days=int(days[1]))
    end = read_time("--expires", text)
    if end is None or end.utcoffset() is None:
        raise BadInput("--expires: Must be days as 90d, or a time with its zone.")
    return end


def _lines(refused: TokenRefused, options: Mapping[str, str]) -> str:
    return "\n".join(
        f"{name_option(field, options)}: {' '.join(texts)}"
        for field, texts in refused.errors.items()
    )


def _columns(row: Row) -> list[object]:
    return [
        row["id"],
        plain(row["owner"]),
        plain(row["name"]),
        f"{PREFIX}{row['lookup']}",
        shorten(", ".join(row["abilities"]), 60),
        show_time(row["expires_at"]),
        show_time(row["last_used_at"]) or "never",
        show_time(row["revoked_at"]),
    ]
