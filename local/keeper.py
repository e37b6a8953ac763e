"""A server process that cannot outlive the process that asked for it.

A shell stands between the two: it starts the server and then reads from a pipe whose other end
only the asking process holds. However that process ends, even by SIGKILL, the pipe closes and the
shell stops the server.
"""

import contextlib
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

# A server that somebody froze can't end, so it is thawed.
SHELL = (
    '"$@" & echo $! > pid; read -r _; kill -INT $! 2>/dev/null; kill -CONT $! 2>/dev/null; wait $!'
)
START_LIMIT_S = 30.0
STOP_LIMIT_S = 30.0
POLL_S = 0.01


class DidNotStart(RuntimeError):
    """The server ended, or was not ready in time; the text holds the end of its log."""


class Keeper:
    """Runs one server in `folder`, where its output goes to `log` and its process id to `pid`.

    With `shown` its output goes to the terminal instead; `limit`: seconds that its start may take.
    """

    def __init__(
        self, name: str, folder: Path, *, shown: bool = False, limit: float = START_LIMIT_S
    ) -> None:
        self.name = name
        self.folder = folder
        self._shown = shown
        self._limit = limit
        self._shell: subprocess.Popen[bytes] | None = None

    def start(
        self,
        command: Sequence[str],
        ready: Callable[[int], bool],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command and wait until `ready`, asked with its process id, says yes.

        Without an `environment` it has that of this process.
        """
        self.stop()
        (self.folder / "pid").unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", SHELL, "keeper", *command],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=None if self._shown else log,
                stderr=None if self._shown else log,
                # Ctrl-C belongs to the asking process, which then closes the pipe.
                start_new_session=True,
            )
        self._wait(ready)

    def is_running(self) -> bool:
        """Whether the server was started here and has not ended since."""
        pid = pid_in(self.folder)
        return self._shell is not None and pid is not None and is_running(pid)

    def wait(self) -> None:
        """Wait until the server ends by itself."""
        while self.is_running():
            time.sleep(10 * POLL_S)

    def stop(self) -> None:
        """Ask the server to finish and wait until it has."""
        if self._shell is None or self._shell.stdin is None:
            return
        self._shell.stdin.close()
        try:
            self._shell.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            end(self.folder)
            self._shell.wait()
        self._shell = None

    def kill(self) -> None:
        """End the server and its children at once, as a crash of the machine would."""
        end(self.folder)
        self.stop()

    def _wait(self, ready: Callable[[int], bool]) -> None:
        deadline = time.monotonic() + self._limit
        while time.monotonic() < deadline:
            pid = pid_in(self.folder)
            if pid is not None and ready(pid):
                return
            if pid is not None and not is_running(pid):
                break
            time.sleep(POLL_S)
        self.kill()
        log = (self.folder / "log").read_text(errors="replace")
        raise DidNotStart(f"{self.name} did not start. The end of its log:\n{log[-2000:]}")


def pid_in(folder: Path) -> int | None:
    """The process id that was written when the server of this folder was last started."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / "pid").read_text())
    return None


def is_running(pid: int) -> bool:
    """Whether the process exists and is more than a zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end(folder: Path) -> None:
    """End what still runs of the server of this folder, whoever started it."""
    pid = pid_in(folder)
    if pid is None or not _belongs_to(pid, folder):
        return
    for process in _family(pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
            _wait_for_end(process.pid)


def _family(pid: int) -> list[psutil.Process]:
    try:
        server = psutil.Process(pid)
        return [server, *server.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _wait_for_end(pid: int) -> None:
    deadline = time.monotonic() + STOP_LIMIT_S
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(POLL_S)


def _belongs_to(pid: int, folder: Path) -> bool:
    """Process ids are used again, so the command line must name the folder."""
    try:
        return any(str(folder) in part for part in psutil.Process(pid).cmdline())
    except psutil.Error:
        return False
