"""A token as the API shows it: everything but its secret."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from app.access.plaintext import PREFIX
from app.models.statements import Row


class Token(Struct):
    """A token; its text was shown when it was issued, and is stored nowhere."""

    id: Annotated[UUID, Meta(description="What it is called by here.")]
    name: Annotated[str, Meta(description="What it is for, in its owner's words.")]
    begins: Annotated[str, Meta(description="How its text begins, to recognise a leaked one.")]
    owner: Annotated[str, Meta(description="Whose token it is.")]
    user_id: Annotated[UUID, Meta(description="The owner's id.")]
    abilities: Annotated[
        list[str], Meta(description="What it may do, as far as its owner may do it too.")
    ]
    networks: Annotated[
        list[str], Meta(description="Where it may be used from; empty: everywhere.")
    ]
    senders: Annotated[
        list[str],
        Meta(description="Addresses, `@domains` and numbers to send from; empty: all."),
    ]
    sms_prefixes: Annotated[
        list[str], Meta(description="How numbers that get SMS must begin; empty: anyhow.")
    ]
    hourly_cap: Annotated[int | None, Meta(description="Items an hour; `null`: no cap.")]
    daily_cap: Annotated[int | None, Meta(description="Items in 24 hours; `null`: no cap.")]
    max_receivers: Annotated[
        int | None, Meta(description="Receivers of one request; `null`: no bound.")
    ]
    created: Annotated[datetime, Meta(description="When it was issued.")]
    expires_at: Annotated[datetime, Meta(description="When it ends by itself.")]
    last_used_at: Annotated[
        datetime | None, Meta(description="When it was used last, to a minute; `null`: never.")
    ]
    revoked_at: Annotated[datetime | None, Meta(description="When it was revoked.")]
    issued_by: Annotated[
        UUID | None, Meta(description="The token that issued it; `null`: the command line did.")
    ]


class NewToken(Token, kw_only=True):
    """A token that has just been issued."""

    token: Annotated[
        str, Meta(description="The token itself, shown this once. Keep it like a password.")
    ]


EXAMPLE = {
    "id": "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11",
    "name": "shop",
    "begins": "plb_4f8Kd02hQzLm",
    "owner": "ada",
    "user_id": "019c1f6c-1d20-7c7c-9a0e-51f0c2b7d3aa",
    "abilities": ["send"],
    "networks": ["192.0.2.0/24"],
    "senders": ["@shop.example"],
    "sms_prefixes": ["+49"],
    "hourly_cap": 500,
    "daily_cap": 5000,
    "max_receivers": 10,
    "created": "2026-12-01T09:00:00Z",
    "expires_at": "2027-03-01T09:00:00Z",
    "last_used_at": "2026-12-01T10:12:00Z",
    "revoked_at": None,
    "issued_by": None,
}


def show(row: Row) -> Token:
    return Token(**members(row))


def members(row: Row) -> dict[str, Any]:
    same = {name: row[name] for name in Token.__struct_fields__ if name != "begins"}
    return {**same, "begins": f"{PREFIX}{row['lookup']}"}
