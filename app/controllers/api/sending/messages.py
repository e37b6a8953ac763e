"""What a caller may say about a message. How each field is checked stands in ``app/items``."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

type Name = Annotated[str, Meta(max_length=255, description="Shown beside the address.")]
type Address = Annotated[
    str,
    Meta(
        max_length=254,
        description="An email address; domains in any script.",
        extra_json_schema={"format": "email"},
    ),
]
type Cell = Annotated[
    str,
    Meta(
        max_length=32,
        description="A number in the international form (E.164).",
        extra_json_schema={"pattern": r"^\+[1-9][0-9]{6,14}$"},
    ),
]
type MediaUrl = Annotated[
    str,
    Meta(
        max_length=2048,
        description="A public https address, which the provider fetches.",
        extra_json_schema={"format": "uri"},
    ),
]


type Moment = Annotated[datetime, Meta(tz=True)]


class EmailContact(Struct, forbid_unknown_fields=True):
    """Somebody by their email address."""

    email: Address
    name: Name = ""


class PhoneContact(Struct, forbid_unknown_fields=True):
    """Somebody by their mobile number."""

    cell: Cell
    name: Name = ""


type Sender = Annotated[
    UUID | EmailContact, Meta(description="An address, or the id of one of `/api/senders`.")
]
type Receiver = Annotated[
    UUID | EmailContact, Meta(description="An address, or the id of one of `/api/receivers`.")
]
type Receivers = Annotated[list[Receiver], Meta(max_length=50)]


class NewOrigin(Struct, forbid_unknown_fields=True):
    """The record of yours that caused the message."""

    type: Annotated[str, Meta(min_length=1, max_length=255, description="Its kind, as `order`.")]
    id: Annotated[str, Meta(min_length=1, max_length=255, description="Its key, as a text.")]


class NewAttachment(Struct, forbid_unknown_fields=True):
    """A file, sent under its name; names within a message differ."""

    name: Annotated[str, Meta(min_length=1, max_length=255, description="As receivers see it.")]
    content: Annotated[bytes, Meta(description="Base64.", extra_json_schema={"format": "byte"})]
    content_type: Annotated[
        str | None,
        Meta(description="A media type as `image/png`; without it, it is found out."),
    ] = None
    content_id: Annotated[
        str | None,
        Meta(description="Makes it part of the HTML, which shows it by `cid:…` (RFC 2392)."),
    ] = None


class Message(Struct, forbid_unknown_fields=True, kw_only=True):
    """What emails and SMS have in common."""

    send_at: Annotated[Moment | None, Meta(description="Not before; at once without it.")] = None
    expires_at: Annotated[
        Moment | None,
        Meta(description="What isn't sent by then is cancelled. Later than `send_at`."),
    ] = None
    priority: Annotated[
        Literal["high", "default", "bulk"], Meta(description="Which queue it waits in.")
    ] = "default"
    origin: Annotated[
        NewOrigin | None, Meta(description="Kept with the items, and searchable.")
    ] = None


class EmailDraft(Message, kw_only=True):
    """An email. Each address in `to`, `cc` and `bcc` gets an item of its own."""

    sender: Sender
    to: Annotated[Receivers, Meta(description="At most 50 with `cc` and `bcc`.")] = field(
        default_factory=list[Any]
    )
    cc: Annotated[Receivers, Meta(description="Shown to everybody.")] = field(
        default_factory=list[Any]
    )
    bcc: Annotated[Receivers, Meta(description="Shown to nobody.")] = field(
        default_factory=list[Any]
    )
    reply_to: Annotated[Receivers, Meta(description="Where answers go.")] = field(
        default_factory=list[Any]
    )
    subject: Annotated[str, Meta(max_length=998, description="One line.")]
    text: Annotated[str, Meta(description="The body as plain text; this, `html`, or both.")] = ""
    html: Annotated[str, Meta(description="The body as HTML, sent as it is.")] = ""
    headers: Annotated[
        dict[str, str],
        Meta(
            max_length=50,
            description="Further header fields. Those that are written while a message is sent"
            " (From, To, Message-ID, …) can't be given.",
        ),
    ] = field(default_factory=dict[str, str])
    tags: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=128)]],
        Meta(max_length=20, description="Your words for it, to search and count by."),
    ] = field(default_factory=list[str])
    attachments: Annotated[
        list[NewAttachment],
        Meta(max_length=50, description="Files, with the texts bounded in size."),
    ] = field(default_factory=list[NewAttachment])


class SmsDraft(Message, kw_only=True):
    """An SMS to one receiver."""

    sender: Annotated[
        UUID | PhoneContact | None,
        Meta(
            description="A number, or the id of one of `/api/senders`; not needed where the"
            " channel has a number of its own."
        ),
    ] = None
    receiver: Annotated[
        UUID | PhoneContact, Meta(description="A number, or the id of one of `/api/receivers`.")
    ]
    body: Annotated[str, Meta(max_length=1600, description="The text, unless `media_url`.")] = ""
    media_url: MediaUrl | None = None


class BatchedEmail(EmailDraft, tag_field="method", tag="email"):
    """An email among other messages."""


class BatchedSms(SmsDraft, tag_field="method", tag="sms"):
    """An SMS among other messages."""


type AnyMessage = BatchedEmail | BatchedSms


class Batch(Struct, forbid_unknown_fields=True):
    """Up to 500 messages."""

    messages: Annotated[
        list[AnyMessage], Meta(min_length=1, max_length=500, description="In any mix.")
    ]


class Previewed(Struct, forbid_unknown_fields=True):
    """A message to look at."""

    message: Annotated[AnyMessage, Meta(description="As in a batch.")]
