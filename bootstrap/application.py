"""The application, and what becomes of it when only somebody wants to look."""

from collections.abc import Sequence
from typing import Any, cast, override

from arvel.kernel import Application
from arvel.kernel.bootstrap import bootstrap_app

from app.providers.configuration import refuse_wrong_configuration
from app.providers.gates import use_own_gates
from app.providers.watching import watch
from app.worker.absence import wait_for

ONLOOKERS = (
    *("dispatch:doctor", "dispatch:configuration", "dispatch:workflow"),
    *("transport:list", "transport:check", "transport:parse"),
)
"""Commands that need nothing: no server, no usable configuration."""

WORK = ("queue:work", "dispatch:work")
"""Commands that become a worker."""


class Pillarbox(Application):
    @override
    def as_asgi(self) -> Any:
        """Raises :class:`ConfigurationRefused` before a server is built around the application,
        which would bury what it says under tracebacks.
        """
        bootstrap_app(self)
        refuse_wrong_configuration(self)
        use_own_gates(self)
        watch(self)
        # Without the framework's search of forms for a method: to find one it keeps whole bodies in
        # memory, however long they are, and every route of ours reads its body up to its own limit.
        return self.make("http.requests").around(cast("Any", super().as_asgi()).app)


class Onlooker(Pillarbox):
    """Reads the configuration and registers providers, boots none and connects to nothing."""

    @override
    async def boot(self) -> None:
        """Starts nothing."""


class Worker(Pillarbox):
    """Serves no page, so it loads none; waits for a database that is not there yet: it may be
    started at the same moment.
    """

    @override
    async def boot(self) -> None:
        """Raises :class:`ConfigurationRefused` before it waits for what may be named wrongly."""
        refuse_wrong_configuration(self)
        await wait_for(self.make("db").dsn)
        await super().boot()


def application_for(arguments: Sequence[str]) -> type[Application]:
    """The kind of application that a command line needs; ``arguments`` as in ``sys.argv``."""
    command = arguments[1] if len(arguments) > 1 else ""
    if command in ONLOOKERS:
        return Onlooker
    return Worker if command in WORK else Pillarbox
