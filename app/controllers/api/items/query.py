"""The parameters of both lists."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from app.workflow import ErrorKind

type Expansion = Literal[
    "sender", "receiver", "email", "sms", "attempts", "events", "history", "attachments"
]
type Method = Literal["email", "sms"]
type OpenState = Literal["queued", "sending", "awaiting", "delayed", "errored"]
type DoneState = Literal["succeeded", "unconfirmed", "cancelled"]
type Moment = Annotated[datetime, Meta(tz=True)]

NO_CONTROL = "^[^\\u0000-\\u001f\\u007f]+$"
type Word = Annotated[str, Meta(min_length=1, max_length=254, pattern=NO_CONTROL)]
type Sought = Annotated[
    str,
    Meta(
        min_length=3,
        max_length=100,
        pattern="^[^\\u0000-\\u001f\\u007f]*[0-9A-Za-z\\u00c0-\\ud7ff]{3}[^\\u0000-\\u001f\\u007f]*$",
    ),
]

type Expand = Annotated[
    list[Expansion],
    Meta(
        max_length=16,
        description="What else to show of each item; repeat it, or separate by commas. Needs"
        " `read_queueitem`. `email`, `sms` are `null` for an item of the other method.",
    ),
]


class ItemQuery(Struct, forbid_unknown_fields=True, kw_only=True):
    """What to show of one item."""

    expand: Expand = []


class ListQuery(ItemQuery, forbid_unknown_fields=True, kw_only=True):
    """What both lists take."""

    limit: Annotated[int, Meta(ge=1, le=200, description="Items on a page, at most.")] = 50
    cursor: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=80,
                description="`next` of the page before, as it is; with the same filters and order.",
            ),
        ]
        | None
    ) = None
    count: Annotated[
        bool, Meta(description="Also count the items of the whole list, up to 10,000.")
    ] = False
    method: Annotated[Method | None, Meta(description="How they are sent.")] = None
    queued_from: Annotated[Moment | None, Meta(description="Queued then or later.")] = None
    queued_until: Annotated[Moment | None, Meta(description="Queued before.")] = None
    receiver: Annotated[
        Word | None,
        Meta(
            description="The whole address or number, in upper or lower case. Needs `read_content`."
        ),
    ] = None
    origin_type: Annotated[
        Word | None, Meta(description="The type of the record that caused them.")
    ] = None
    origin_id: Annotated[
        Word | None, Meta(description="Its id; only together with `origin_type`.")
    ] = None
    tag: Annotated[Word | None, Meta(description="One of their tags.")] = None
    created_by: Annotated[
        Word | None, Meta(description="Who had them sent, as an item's `created_by`.")
    ] = None
    message_id: Annotated[
        Word | None, Meta(description="The id that the provider gave. Needs `read_content`.")
    ] = None


class QueueItemsQuery(ListQuery, forbid_unknown_fields=True, kw_only=True):
    """Which queue items, in which order."""

    order: Annotated[
        Literal["-queued", "queued"],
        Meta(description="By the time of queueing; `-` is the newest first."),
    ] = "-queued"
    state: Annotated[
        list[OpenState],
        Meta(max_length=5, description="One of these; repeat it, or separate by commas."),
    ] = []
    error_kind: Annotated[ErrorKind | None, Meta(description="Why they are errored.")] = None
    q: Annotated[
        Sought | None,
        Meta(
            description="Part of the receiver's name or address, upper and lower case being the"
            " same; with `state=errored` alone also of `result`. At least three letters or digits"
            " in a row. Needs `read_content`."
        ),
    ] = None


class SentItemsQuery(ListQuery, forbid_unknown_fields=True, kw_only=True):
    """Which sent items, in which order."""

    order: Annotated[
        Literal["-queued", "queued", "-finished", "finished"] | None,
        Meta(
            description="By the time of queueing or of finishing; `-` is the newest first. Without"
            " it `-finished` when items are chosen by that time, else `-queued`."
        ),
    ] = None
    state: Annotated[
        list[DoneState],
        Meta(max_length=3, description="One of these; repeat it, or separate by commas."),
    ] = []
    finished_from: Annotated[Moment | None, Meta(description="Finished then or later.")] = None
    finished_until: Annotated[Moment | None, Meta(description="Finished before.")] = None
    q: Annotated[
        Sought | None,
        Meta(
            description="Part of the receiver's name or address, upper and lower case being the"
            " same. At least three letters or digits in a row. Needs `read_content`."
        ),
    ] = None
