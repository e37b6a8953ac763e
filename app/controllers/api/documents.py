"""The API's own description: an OpenAPI document, and a page of it for people."""

from pathlib import Path

from arvel.http.response import Response
from arvel.views import view

from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.page import describe

STYLE = (Path(__file__).parents[3] / "resources/views/api/docs.css").read_text("utf-8")
OWN_STYLE = {
    "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    "cache-control": "no-cache",
}


async def openapi(_call: Call[Nothing, Nothing]) -> Answer:
    # The document lists this operation too, so it can only be made once the table is whole.
    from app.controllers.api.openapi import document
    from app.controllers.api.table import OPERATIONS

    return Answer(document(OPERATIONS))


async def page(_call: Call[Nothing, Nothing]) -> Response:
    from app.controllers.api.table import OPERATIONS

    html = await view("api.docs", describe(OPERATIONS)).render()
    return Response(html, headers={"content-type": "text/html; charset=utf-8", **OWN_STYLE})


async def style(_call: Call[Nothing, Nothing]) -> Response:
    return Response(STYLE, headers={"content-type": "text/css; charset=utf-8", **OWN_STYLE})


OPERATIONS = (
    Operation(
        method="GET",
        path="/openapi.json",
        name="documents.openapi",
        tag="Documents",
        summary="This API as an OpenAPI 3.1 document",
        description="For generators of clients, and for tools that try an API.",
        permissions=None,
        handler=openapi,
        answers={200: dict},
    ),
    Operation(
        method="GET",
        path="/docs.css",
        name="documents.style",
        tag="Documents",
        summary="The style of that page",
        description="Nothing is loaded from other sites.",
        permissions=None,
        handler=style,
        answers={200: str},
        produces="text/css",
    ),
    Operation(
        method="GET",
        path="/docs",
        name="documents.page",
        tag="Documents",
        summary="This API as a page to read",
        description="Every operation with what it takes, what it answers and what may go wrong.",
        permissions=None,
        handler=page,
        answers={200: str},
        produces="text/html",
    ),
)
