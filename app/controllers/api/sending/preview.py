"""``/api/messages/preview``: what a message comes to, without sending it."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.sending import sms
from app.controllers.api.sending.answers import Method
from app.controllers.api.sending.drafts import compose
from app.controllers.api.sending.known import named_in
from app.controllers.api.sending.letters import HeaderLine, weigh
from app.controllers.api.sending.messages import Previewed
from app.controllers.api.sending.one import require_bounds
from app.controllers.api.sending.reading import read_as, receive
from app.controllers.api.sending.tagged import read_tagged
from app.controllers.api.serve import require
from app.items.writing import Composed
from app.models.queries.compose_email import NewEmail
from app.models.queries.compose_sms import NewSms
from app.transports.sms.alphabet import encode


class Taking(Struct):
    """The way that a message would take to one of its receivers."""

    receiver: Annotated[str, Meta(description="The field that names the receiver, as `to.0`.")]
    channel: Annotated[
        str,
        Meta(description="`sandbox` where this receiver must not be reached from here."),
    ]


class EmailPreview(Struct):
    """An email as SMTP would carry it to its first receiver."""

    size: Annotated[int, Meta(description="Bytes, files included, encoded.")]
    headers: list[HeaderLine]


class Foreign(Struct):
    """A character that GSM-7 lacks, which makes the whole text UCS-2."""

    position: Annotated[int, Meta(description="Counted in characters, from 0.")]
    character: str
    code_point: Annotated[str, Meta(description="As `U+2019`.")]


class SmsPreview(Struct):
    """A text as the network carries it. Nothing is replaced."""

    encoding: Annotated[str, Meta(description="`GSM-7` or `UCS-2`.")]
    characters: int
    units: Annotated[
        int, Meta(description="What segments are counted in: septets, or pairs of octets.")
    ]
    segments: Annotated[int, Meta(description="What providers charge for.")]
    foreign: list[Foreign]


class Preview(Struct):
    """What a message comes to; `email` or `sms`, by its method."""

    method: Method
    receivers: list[Taking]
    email: EmailPreview | None = None
    sms: SmsPreview | None = None


class Wanted(Struct, forbid_unknown_fields=True):
    """A preview whose message is still to be looked at."""

    message: Any


async def preview(call: Call[Nothing, Any]) -> Answer:
    received = await receive(call.request)
    message = read_tagged(read_as(received.content, Wanted).message)
    if named_in(message):
        # What is shown holds the addresses of those rows.
        require(call.caller, "read_content")
    composed = await compose(message)
    require_bounds(call, [composed])
    return Answer(await look_at(composed))


async def look_at(message: Composed) -> Preview:
    content = message.content
    if isinstance(content, NewEmail):
        size, headers = await weigh(content, message.files)
        ways = [Taking(b.place, b.channel) for b in content.mailboxes if b.channel is not None]
        return Preview("email", ways, email=EmailPreview(size, headers))
    return Preview("sms", [Taking("receiver", content.channel)], sms=measure(content))


def measure(content: NewSms) -> SmsPreview:
    body = content.body
    encoded = encode(body)
    foreign = [Foreign(n, body[n], f"U+{ord(body[n]):04X}") for n in encoded.foreign]
    return SmsPreview(encoded.encoding, len(body), encoded.units, encoded.segments, foreign)


OPERATIONS = (
    Operation(
        method="POST",
        path="/messages/preview",
        name="messages.preview",
        tag="Sending",
        summary="What a message would be",
        description="Checks a message as sending it does, stores nothing, and says what it comes"
        " to: an SMS in which encoding, how many segments and because of which characters; an email"
        " in bytes, with its headers. Date and Message-ID are those of this moment. People that are"
        " named by ids need `read_content` as well, because their addresses are shown.",
        permissions=("send",),
        handler=preview,
        body=Previewed,
        reads_body=True,
        answers={200: Preview},
        problems=("out-of-bounds",),
        example={
            "message": {
                "method": "sms",
                "sender": sms.EXAMPLE["sender"],
                "receiver": sms.EXAMPLE["receiver"],
                "body": "It’s on its way.",
            }
        },
        answer_example={
            "method": "sms",
            "receivers": [{"receiver": "receiver", "channel": "sandbox"}],
            "email": None,
            "sms": {
                "encoding": "UCS-2",
                "characters": 16,
                "units": 16,
                "segments": 1,
                "foreign": [{"position": 2, "character": "’", "code_point": "U+2019"}],
            },
        },
    ),
)
