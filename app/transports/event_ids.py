"""Where providers put their own id of an event, for people who look for it there."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from app.transports.contract import ProviderEvent, RawRequest
from app.transports.http.objects import Object, object_in, read_object, text_in

IN_REPORT: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "amazon_ses": (("messageId",),),
    "mailersend": (("data", "id"), ("id",)),
    "mailtrap": (("event_id",),),
    "postal": (("uuid",), ("id",)),
    "postmark": (("ID",),),
    "sendgrid": (("sg_event_id",),),
    "sparkpost": (("event_id",),),
}
"""Where in each report, and else where in what is kept of a message to us. Postmark gives ids to
bounces and complaints alone."""

IN_HEADERS: Mapping[str, tuple[str, ...]] = {"resend": ("svix-id", "webhook-id")}

IN_BODY: Mapping[str, tuple[str, ...]] = {
    "amazon_ses": ("MessageId",),
    "mailgun": ("signature", "token"),
}
"""One for the whole request. Mailgun's ids in a report are unique within a day only."""

IN_FORM: Mapping[str, str] = {"mailgun": "token"}


def event_id(provider: str, event: ProviderEvent, request: RawRequest) -> str | None:
    """The provider's id of this event; ``None`` where it has none. Brevo, Mailjet, Mandrill,
    Scaleway, Twilio and Unisender Go give none that stays the same when a report is repeated."""
    within = (walk(event.raw, path) for path in IN_REPORT.get(provider, ()))
    headers = (request.headers.get(name, "") for name in IN_HEADERS.get(provider, ()))
    found = (
        next(filter(None, within), "")
        or next(filter(None, headers), "")
        or walk(read_object(request.body) or {}, IN_BODY.get(provider, ()))
        or in_form(IN_FORM.get(provider, ""), request)
    )
    return found or None


def walk(content: Object, path: tuple[str, ...]) -> str:
    for name in path[:-1]:
        content = object_in(content, name)
    return text_in(content, *path[-1:])


def in_form(field: str, request: RawRequest) -> str:
    if not field or "json" in request.headers.get("content-type", ""):
        return ""
    try:
        return parse_qs(request.body.decode("ascii", "replace"), max_num_fields=500)[field][-1]
    except ValueError, LookupError:
        return ""
