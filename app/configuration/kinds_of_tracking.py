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
        except Exception as error:
            # A module of somebody else's may raise anything while it is imported.
            kind_of_error = type(error).__name__
            raise Unfit(f"{self.shape}, which can be imported ({kind_of_error})") from error
        return f"{kind.__module__}.{kind.__qualname__}"
