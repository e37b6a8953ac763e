"""The setting that names a class of the application's owner."""

from dataclasses import dataclass

from app.configuration.kinds import Unfit
from app.transports.email.strategies import NotAStrategy, load_strategy


@dataclass(frozen=True, slots=True)
class Strategy:
    shape: str = "a subclass of app.transports.email.tracking.EmailTrackingStrategy"

    def read(self, value: object) -> str:
        """The dotted path of the strategy; raises :class:`Unfit` unless it can be made."""
        try:
            kind = type(load_strategy(value))
        except NotAStrategy as reason:
            raise Unfit(f"{self.shape}, or its dotted path. It {reason.reason}") from reason
        return f"{kind.__module__}.{kind.__qualname__}"
