"""Settings that name a class which answers for a list of items."""

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from app.configuration.kinds import Unfit

SEND_QUEUE = "SEND_QUEUE_CONTROLLER"
SENT_ITEMS = "SENT_ITEM_CONTROLLER"
HANDLERS = ("index", "show")


class NotAController(ValueError):
    """The setting names nothing that can answer; the text completes "It …"."""


@dataclass(frozen=True, slots=True)
class Controller:
    shape: str = "a class with async methods index(call) and show(call)"

    def read(self, value: object) -> str:
        """The dotted path of the class, empty for ours; raises :class:`Unfit`."""
        if not value:
            return ""
        try:
            kind = load_controller(value)
        except NotAController as reason:
            raise Unfit(f"{self.shape}, or its dotted path. It {reason}") from reason
        return f"{kind.__module__}.{kind.__qualname__}"


def load_controller(given: object) -> type[Any]:
    """The class that is given, or named by a dotted path; raises :class:`NotAController`."""
    found = _import(given) if isinstance(given, str) else given
    if not isinstance(found, type):
        raise NotAController("names something that is no class.")
    for name in HANDLERS:
        if not inspect.iscoroutinefunction(getattr(found, name, None)):
            raise NotAController(f"names {found.__name__}, which has no async method {name}.")
    try:
        found()
    except Exception as error:
        reason = f"names {found.__name__}, which can't be made without arguments"
        raise NotAController(f"{reason} ({type(error).__name__}).") from error
    return cast("type[Any]", found)


def _import(path: str) -> object:
    module_name, _, name = path.rpartition(".")
    if not module_name:
        raise NotAController("has no module before the class: write package.module.Class.")
    try:
        module = import_module(module_name)
    except Exception as error:
        # A module of somebody else's may raise anything while it is imported, and quote anything.
        kind = type(error).__name__
        raise NotAController(f"names the module {module_name}, which raises {kind}.") from error
    if not hasattr(module, name):
        raise NotAController(f"names {name}, which {module_name} does not have.")
    return getattr(module, name)
