"""What can be wrong with a request, as problem details (RFC 9457)."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arvel.http.response import Response

MEDIA_TYPE = "application/problem+json"
DOCS = "/api/docs"
MOST_ERRORS = 100


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its address is ``type``, and its meaning is what the docs say of it."""

    slug: str
    status: int
    title: str
    meaning: str

    @property
    def address(self) -> str:
        return f"{DOCS}#problem-{self.slug}"


KINDS = MappingProxyType(
    {
        kind.slug: kind
        for kind in (
            Kind(
                "malformed",
                400,
                "The request can't be read",
                "The body is not JSON, a parameter has no value or is named twice. Mend the"
                " request; sent again as it is, it fails again.",
            ),
            Kind(
                "unauthenticated",
                401,
                "No valid token",
                "Send `Authorization: Bearer plb_…` with a token that is neither expired nor"
                " revoked, from a network that it may be used from.",
            ),
            Kind(
                "forbidden",
                403,
                "Not permitted",
                "The token, or the user whose token it is, lacks a permission. `needs` names"
                " what is missing.",
            ),
            Kind(
                "out-of-bounds",
                403,
                "Beyond the bounds of the token",
                "The token may be used for other senders, countries or numbers of receivers only;"
                " `errors` names the fields. Nothing was stored.",
            ),
            Kind(
                "not-found",
                404,
                "Not found",
                "There is no such resource, or you may not know that there is.",
            ),
            Kind(
                "method-not-allowed",
                405,
                "Method not allowed",
                "The resource exists and doesn't take this method; `Allow` names those it takes.",
            ),
            Kind(
                "timeout",
                408,
                "The request took too long",
                "The body did not arrive in time. Nothing was done; send it again.",
            ),
            Kind(
                "conflict",
                409,
                "The state doesn't allow it",
                "Somebody or something else was first. `state` is what the item is now.",
            ),
            Kind(
                "confirmation-needed",
                409,
                "It may have been sent",
                "The outcome of the last attempt is unknown. Look at the item, and repeat the"
                " request with `confirm: true` if you accept that a receiver may get it twice.",
            ),
            Kind(
                "still-running",
                409,
                "The first request still runs",
                "A request with this Idempotency-Key has not ended yet. Repeat it after"
                " `Retry-After`.",
            ),
            Kind(
                "too-large",
                413,
                "The body is too large",
                "Nothing beyond the limit was read, and nothing was done.",
            ),
            Kind(
                "unsupported-media-type",
                415,
                "Unsupported media type",
                "Send `application/json` (for emails with files `multipart/form-data`), not"
                " compressed.",
            ),
            Kind(
                "invalid",
                422,
                "Something in the request can't be used",
                "`errors` lists each field with what is wrong and how to mend it. Nothing was"
                " stored.",
            ),
            Kind(
                "key-reused",
                422,
                "The Idempotency-Key belongs to another request",
                "A request with this key had another body. Use a new key for a new message.",
            ),
            Kind(
                "too-many-requests",
                429,
                "Too many requests",
                "The token's rate limit is reached. Wait as long as `Retry-After` says.",
            ),
            Kind(
                "cap-reached",
                429,
                "The token's cap is reached",
                "The token may not have more items sent in this hour or day. Nothing was stored.",
            ),
            Kind(
                "failed",
                500,
                "Something went wrong here",
                "The fault is ours and was logged under `request_id`. With an Idempotency-Key the"
                " request is safe to repeat.",
            ),
            Kind(
                "unavailable",
                503,
                "Not available at the moment",
                "A server that this needs can't be reached. Repeat the request after"
                " `Retry-After`; with an Idempotency-Key that is safe even where the first one was"
                " served after all and only its answer was lost.",
            ),
        )
    }
)


class Problem(Exception):
    """Ends a request with a problem; ``members`` are further members of its body.

    ``detail`` is a sentence about this occurrence, which never repeats what the caller sent.
    """

    def __init__(
        self,
        slug: str,
        detail: str = "",
        *,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        self.kind = KINDS[slug]
        super().__init__(detail or self.kind.title)
        self.detail = detail or self.kind.title
        self.headers = dict(headers or {})
        self.members = members

    @classmethod
    def invalid(cls, errors: Mapping[str, list[str]]) -> Problem:
        """What is wrong, field by field; of very many the first ones."""
        found = [
            {"field": field, "message": message}
            for field, messages in itertools.islice(errors.items(), MOST_ERRORS)
            for message in messages
        ]
        text = "See errors." if len(errors) <= MOST_ERRORS else "See errors; more are left out."
        return cls("invalid", text, errors=found)


def respond(problem: Problem, request_id: str) -> Response:
    """The answer that tells the caller."""
    kind = problem.kind
    body = {
        "type": kind.address,
        "title": kind.title,
        "status": kind.status,
        "detail": problem.detail,
        "request_id": request_id,
        **problem.members,
    }
    headers = {"content-type": MEDIA_TYPE, "x-request-id": request_id, **problem.headers}
    return Response(body, kind.status, headers=headers)
