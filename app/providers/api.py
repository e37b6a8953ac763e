"""What the API answers where none of its operations is: problem details there too."""

import uuid
from typing import Any, override

from arvel.http.response import Response
from arvel.kernel import ServiceProvider
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException

from app.configuration.kinds_of_controllers import SEND_QUEUE, SENT_ITEMS
from app.controllers.api.items import replaceable
from app.controllers.api.problems import Problem, respond
from app.controllers.api.serve import SAFE
from app.settings import ApiSettings


class ApiProvider(ServiceProvider):
    @override
    def boot(self) -> None:
        handler: Any = self.app.make("exceptions")
        handler.renderable(NotFoundException, _not_found)
        handler.renderable(MethodNotAllowedException, _not_allowed)
        settings = ApiSettings()
        replaceable.use(SEND_QUEUE, settings.send_queue_controller)
        replaceable.use(SENT_ITEMS, settings.sent_item_controller)


def _not_found(_error: HTTPException, request: Any) -> Response | None:
    return _answer(request, Problem("not-found"))


def _not_allowed(error: HTTPException, request: Any) -> Response | None:
    return _answer(request, Problem("method-not-allowed", headers=error.headers))


def _answer(request: Any, problem: Problem) -> Response | None:
    """``None`` outside the API, where arvel renders the page."""
    if not request.scope["path"].startswith("/api/"):
        return None
    answer = respond(problem, str(uuid.uuid7()))
    answer.headers.update(SAFE)
    return answer
