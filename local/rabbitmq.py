"""A RabbitMQ of our own, from Debian's package `rabbitmq-server`; only tests ask for it."""

import os
import socket
from pathlib import Path

from local import account, passwords
from local.keeper import DidNotStart, Keeper
from local.ports import HOST, free_port

SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
STARTS = 3
START_LIMIT_S = 90.0
"""It takes five seconds of computing, which others may want as well."""
SCRIPT = """#!/bin/sh
# The name server of Erlang ends with the other.
epmd -port "$ERL_EPMD_PORT" -address 127.0.0.1 &
epmd=$!
trap 'kill "$server"' INT TERM
"$@" &
server=$!
wait "$server"
wait "$server"
kill "$epmd"
"""


def is_installed() -> bool:
    """Whether the package is there; it can't be had without root."""
    return SERVER.exists()


class RabbitMQ:
    """One server with its data in `folder`; its port stays the same from the first start on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port: int | None = None
        self._keeper = Keeper("RabbitMQ", folder, limit=START_LIMIT_S)

    @property
    def url(self) -> str:
        """Its one virtual host."""
        return f"amqp://guest:{passwords.read(self.folder)}@{HOST}:{self.port}/%2F"

    def start(self) -> None:
        """Start, and return when it answers.

        Raises:
            DidNotStart: with the end of the server's log.
        """
        self._create()
        for attempt in range(1, STARTS + 1):
            port = self.port or free_port()
            try:
                return self._start_at(port)
            except DidNotStart:
                # Somebody was quicker to use a port.
                if self.port is not None or attempt == STARTS:
                    raise
        return None

    def stop(self) -> None:
        """Shut down in order: a queue that was made just before a crash would not come back."""
        self._keeper.stop()

    def _create(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        passwords.ensure(self.folder)
        (self.folder / "run").write_text(SCRIPT)
        (self.folder / "plugins").write_text("[].")
        configuration = self.folder / "rabbitmq.conf"
        passwords.write_privately(
            configuration,
            f"default_pass = {passwords.read(self.folder)}\nlog.console.level = error\n"
            "log.file = false\n",
        )
        account.own(self.folder)
        account.own(configuration)
        for readable in ("run", "plugins"):
            (self.folder / readable).chmod(0o644)

    def _start_at(self, port: int) -> None:
        script = account.command(Path("/bin/sh"), str(self.folder / "run"), str(SERVER))
        command = [
            "env",
            "--default-signal=INT",
            *(f"{k}={v}" for k, v in self._environment(port).items()),
            *script,
        ]
        self._keeper.start(command, lambda _pid: _answers(port))
        self.port = port

    def _environment(self, port: int) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "plugins"),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_LOG_BASE": str(self.folder / "logs"),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "data"),
            "RABBITMQ_NODENAME": f"pillarbox{port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": HOST,
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none",
            "ERL_EPMD_ADDRESS": HOST,
            "ERL_EPMD_PORT": str(free_port()),
        }


def _answers(port: int) -> bool:
    """It speaks only when a client has; then it begins with the header of a frame."""
    try:
        with socket.create_connection((HOST, port), timeout=2) as connection:
            connection.sendall(b"AMQP\x00\x00\x09\x01")
            return connection.recv(1) == b"\x01"
    except OSError:
        return False
