"""Which controllers answer for queue items and sent items."""

import warnings
from typing import Any, Protocol

from arvel.kernel.logging import LogManager

from app.configuration.kinds_of_controllers import SEND_QUEUE, SENT_ITEMS, load_controller
from app.controllers.api.items.controllers import QueueItemController, SentItemController
from app.controllers.api.operation import Answer, Call, Handler

WRITES = ("store", "create", "update", "replace", "destroy", "delete", "post", "put", "patch")


class Controller(Protocol):
    """What stands behind a list: ``index`` answers for the list, ``show`` for one item."""

    async def index(self, call: Call[Any, Any], /) -> Answer: ...
    async def show(self, call: Call[Any, Any], /) -> Answer: ...


_DEFAULTS: dict[str, type[Controller]] = {
    SEND_QUEUE: QueueItemController,
    SENT_ITEMS: SentItemController,
}
_current: dict[str, Controller] = {name: kind() for name, kind in _DEFAULTS.items()}


def use(setting: str, given: object) -> None:
    """Let the class that ``given`` is or names answer; nothing means ours.

    Raises :class:`~app.configuration.kinds_of_controllers.NotAController`. One that writes is
    warned of, because the promise of these lists is that nothing but transitions changes an item.
    """
    kind = load_controller(given) if given else _DEFAULTS[setting]
    _current[setting] = kind()
    if found := [name for name in WRITES if hasattr(kind, name)]:
        _warn(setting, kind, found)


def _warn(setting: str, kind: type[Any], found: list[str]) -> None:
    text = (
        f"{setting}: {kind.__name__} has {', '.join(found)}. Queue items change by transitions"
        " only; no route of these lists leads to a method that writes."
    )
    warnings.warn(text, RuntimeWarning, stacklevel=3)
    LogManager().channel("api").warning("controller_writes", setting=setting, methods=found)


def index_of(setting: str) -> Handler:
    """The handler of a list, whoever answers for it when it is called."""

    async def index(call: Call[Any, Any]) -> Any:
        return await _current[setting].index(call)

    return index


def show_of(setting: str) -> Handler:
    async def show(call: Call[Any, Any]) -> Any:
        return await _current[setting].show(call)

    return show
