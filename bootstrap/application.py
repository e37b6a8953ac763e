"""The application, and what becomes of it when only somebody wants to look."""

from collections.abc import Sequence
from typing import Any, override

from arvel.kernel import Application
from arvel.kernel.bootstrap import bootstrap_app

from app.providers.configuration import refuse_wrong_configuration
from app.providers.maintenance import use_own_gate
from bootstrap.front_door import FrontDoor

ONLOOKERS = ("dispatch:doctor", "dispatch:configuration", "dispatch:workflow")
"""Commands that need nothing: no server, no usable configuration."""


class Pillarbox(Application):
    @override
    def as_asgi(self) -> Any:
        """Raises :class:`ConfigurationRefused` before a server is built around the application,
        which would bury what it says under tracebacks.
        """
        bootstrap_app(self)
        refuse_wrong_configuration(self)
        use_own_gate(self)
        return FrontDoor(super().as_asgi())


class Onlooker(Pillarbox):
    """Reads the configuration and registers providers, boots none and connects to nothing."""

    @override
    async def boot(self) -> None:
        """Starts nothing."""


def application_for(arguments: Sequence[str]) -> type[Application]:
    """The kind of application that a command line needs; ``arguments`` as in ``sys.argv``."""
    return Onlooker if arguments[1:2] and arguments[1] in ONLOOKERS else Pillarbox
