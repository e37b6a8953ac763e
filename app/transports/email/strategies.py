"""Finds the tracking strategy that the configuration names, at boot."""

from difflib import get_close_matches
from importlib import import_module

from app.transports.email import tracking
from app.transports.email.tracking import EmailTrackingStrategy

SETTING = "EMAIL_TRACKING_STRATEGY"
OURS = ("EmailTrackingStrategy", "MetadataEmailTrackingStrategy")


class NotAStrategy(ValueError):
    """``EMAIL_TRACKING_STRATEGY`` names nothing that can be used; the text says what to correct."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{SETTING} {reason}")
        self.reason = reason


def load_strategy(setting: object) -> EmailTrackingStrategy:
    """The strategy for a class or its dotted path; an empty setting is the default one.

    Raises :class:`NotAStrategy`.
    """
    if not setting:
        return tracking.MetadataEmailTrackingStrategy()
    found = import_path(setting) if isinstance(setting, str) else setting
    if not isinstance(found, type) or not issubclass(found, EmailTrackingStrategy):
        raise NotAStrategy(
            "must name a subclass of app.transports.email.tracking.EmailTrackingStrategy."
        )
    try:
        return found()
    except Exception as error:
        reason = f"names {found.__name__}, which can't be made without arguments"
        raise NotAStrategy(f"{reason} ({describe(error)}).") from error


def import_path(path: str) -> object:
    module_name, _, name = path.rpartition(".")
    if not module_name:
        raise NotAStrategy(f"must be a dotted path such as package.module.{path}.{suggest(path)}")
    try:
        module = import_module(module_name)
    except Exception as error:
        # A module of somebody else's may raise anything while it is imported, and quote anything.
        reason = f"names the module {module_name}, which can't be imported ({describe(error)})."
        raise NotAStrategy(reason + suggest(name)) from error
    if not hasattr(module, name):
        raise NotAStrategy(f"names {name}, which {module_name} does not have.{suggest(name)}")
    return getattr(module, name)


def describe(error: Exception) -> str:
    kind = type(error).__name__
    return f"{kind}: {error}" if isinstance(error, ModuleNotFoundError) else kind


def suggest(name: str) -> str:
    """A hint at the strategy of ours that may have been meant."""
    nearest = get_close_matches(name, OURS, 1)
    return f" Did you mean {tracking.__name__}.{nearest[0]}?" if nearest else ""
