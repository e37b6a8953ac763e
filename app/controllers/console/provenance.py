"""Refuses forms that aren't ours: sent by another site, or by a page of another session."""

from typing import Any, override

from arvel.http.exceptions import HttpException
from arvel.http.middleware import ValidateCsrfToken

from app.controllers.api.problems import Problem
from app.controllers.console.forms import read_form
from app.controllers.console.serve import begin, refuse

FOREIGN = Problem(
    "forbidden",
    "A form was sent here by another site. Nothing was done.",
    title="That didn't come from here",
    advice="If you were tricked into it, tell whoever runs this server where you were.",
)
OLD = Problem(
    "forbidden",
    "Its session is over, or it was signed out meanwhile. Nothing was done.",
    title="This page is too old",
    advice="Go back, load the page anew, and send it again.",
)


class Provenance(ValidateCsrfToken):
    """The framework's check of origin and token. Ours reads forms with a limit, sets no cookie that
    scripts may read, and answers with a page instead of sending people back without a word.
    """

    @override
    async def handle(self, request: Any, call_next: Any) -> Any:
        try:
            return await super().handle(request, call_next)
        except HttpException as refusal:
            if refusal.status != 419:
                raise
            origin = self._asserted_origin(request)
            foreign = origin is not None and not self._origin_ok(request, origin)
            problem = FOREIGN if foreign else OLD
        except Problem as refusal:
            problem = refusal
        return await refuse(begin(request), problem)

    @override
    async def _submitted(self, request: Any) -> str:
        request.filled_form = await read_form(request)
        return request.filled_form["_token"]

    @override
    async def terminate(self, request: Any, response: Any) -> None:
        """No cookie for scripts: ours send forms."""
