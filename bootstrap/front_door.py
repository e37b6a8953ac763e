"""Where requests enter: what may be buffered before anybody looked at it, and what may not."""

from typing import Any

FORMS = "/console"


class FrontDoor:
    """Lets forms of the console name their method in a field, as browsers must.

    To find that field the framework keeps the whole body in memory, however long it is; API and
    webhooks read their bodies themselves, up to their own limits.
    """

    def __init__(self, with_forms: Any) -> None:
        self._with_forms = with_forms
        self._without = with_forms.app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        served = self._with_forms if scope.get("path", "").startswith(FORMS) else self._without
        await served(scope, receive, send)
