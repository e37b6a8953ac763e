"""The API's own description: an OpenAPI document, and a page of it for people."""

from app.controllers.api.operation import Answer, Call, Nothing, Operation


async def openapi(_call: Call[Nothing, Nothing]) -> Answer:
    # The document lists this operation too, so it can only be made once the table is whole.
    from app.controllers.api.openapi import document
    from app.controllers.api.table import OPERATIONS

    return Answer(document(OPERATIONS))


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
)
