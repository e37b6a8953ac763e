"""What a new token shall be, as somebody asks for it."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from msgspec import Meta, Struct

from app.access.caller import Bounds
from app.access.tokens import Wish

MOST = 100
USUAL = timedelta(days=90)

OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
GROUP = "[0-9a-fA-F]{1,4}"
NETWORK = (
    rf"^(({OCTET}\.){{3}}{OCTET}(/(3[0-2]|[12]?[0-9]))?"
    rf"|(({GROUP}:){{7}}{GROUP}|({GROUP}:){{1,7}}:|({GROUP}:){{1,6}}:{GROUP}|::({GROUP})?)"
    r"(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)$"
)

type Ability = Literal[
    "send",
    "list_queueitem",
    "read_queueitem",
    "read_content",
    "read_workflow",
    "can_retry",
    "can_cancel",
    "can_resend",
    "manage_failed_jobs",
    "manage_channels",
    "manage_tokens",
]

type Network = Annotated[str, Meta(pattern=NETWORK, max_length=43)]
type Sender = Annotated[str, Meta(pattern=r"^[!-+\--~]+$", min_length=2, max_length=254)]
type Prefix = Annotated[str, Meta(pattern=r"^\+[1-9][0-9]{0,14}$")]
type Cap = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class WantedToken(Struct, forbid_unknown_fields=True):
    """A token to issue. It can have nothing that the token which asks for it lacks."""

    name: Annotated[
        str,
        Meta(
            description="What it is for. No two living tokens of a user have the same name.",
            pattern="^[!-~]+( [!-~]+)*$",
            min_length=1,
            max_length=64,
        ),
    ]
    abilities: Annotated[
        list[Ability], Meta(description="What it may do.", min_length=1, max_length=MOST)
    ]
    expires_in_days: Annotated[
        Annotated[int, Meta(ge=1, le=366)] | None,
        Meta(description="When it ends: by default in 90 days, or with the token that asks."),
    ] = None
    networks: Annotated[
        list[Network],
        Meta(
            description="Addresses or CIDR ranges that it may be used from; empty: everywhere.",
            max_length=MOST,
        ),
    ] = []
    senders: Annotated[
        list[Sender],
        Meta(
            description="Addresses, `@domains` and numbers that it may send from; empty: all.",
            max_length=MOST,
        ),
    ] = []
    sms_prefixes: Annotated[
        list[Prefix],
        Meta(
            description="How numbers that it sends SMS to must begin, as `+49`; empty: anyhow.",
            max_length=MOST,
        ),
    ] = []
    hourly_cap: Annotated[Cap | None, Meta(description="Items that it may send in an hour.")] = None
    daily_cap: Annotated[Cap | None, Meta(description="Items that it may send in 24 hours.")] = None
    max_receivers: Annotated[
        Cap | None, Meta(description="Receivers that one request may name.")
    ] = None

    def wish(self, latest: datetime) -> Wish:
        """``latest`` is when the token ends that asks."""
        return Wish(
            self.name,
            self.abilities,
            self._end(latest),
            self.networks,
            Bounds(
                tuple(self.senders),
                tuple(self.sms_prefixes),
                self.hourly_cap,
                self.daily_cap,
                self.max_receivers,
            ),
        )

    def _end(self, latest: datetime) -> datetime:
        now = datetime.now(UTC)
        if self.expires_in_days is None:
            return min(now + USUAL, latest)
        return now + timedelta(days=self.expires_in_days)


EXAMPLE = {
    "name": "shop",
    "abilities": ["send"],
    "expires_in_days": 90,
    "networks": ["192.0.2.0/24"],
    "senders": ["@shop.example"],
    "sms_prefixes": ["+49"],
    "hourly_cap": 500,
    "daily_cap": 5000,
    "max_receivers": 10,
}
