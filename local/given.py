"""Servers that somebody else runs, named by `DATABASE_URL` or `REDIS_URL`."""


class NotOurs(RuntimeError):
    """A server that we did not start is not ours to stop."""


class Given:
    """A server at a given address: usable, but neither started nor stopped by us."""

    def __init__(self, variable: str, url: str) -> None:
        self.variable = variable
        self.url = url

    def start(self) -> None:
        """Nothing: it runs already."""

    def is_running(self) -> bool:
        """Yes, as far as we are told."""
        return True

    def stop(self) -> None:
        """Refuse.

        Raises:
            NotOurs: always.
        """
        raise NotOurs(f"the server of {self.variable} was not started here")

    kill = restart = stop


def sqlalchemy_form(url: str) -> str:
    """A PostgreSQL address with the driver that the application uses."""
    _scheme, _, rest = url.partition("://")
    return f"postgresql+asyncpg://{rest}"
