"""Wires the database: arvel's resolver for models, and the pool of the hot statements."""

from typing import Any, override

from arvel.kernel import ServiceProvider

from app.models import statements
from app.models.connections import Connections
from app.models.migrations import OneMigrator
from app.models.statements import Statements


class DatabaseProvider(ServiceProvider):
    @override
    def register(self) -> None:
        self.app.extend("db", self._connections)
        self.app.extend("migrator", lambda _old, app: OneMigrator(app.make("db")))

    def _connections(self, old: Any, _app: Any) -> Connections:
        return Connections(old._config, default=old._default)

    @override
    def boot(self) -> None:
        connections: Connections = self.app.make("db")
        statements.use(Statements(connections.dsn, connections.pool_size))
        self.app.terminating(statements.close)
