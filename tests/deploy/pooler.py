"""PgBouncer by the file in `deploy/pgbouncer`, before a PostgreSQL of the tests."""

import configparser
import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from local import Services, account, passwords, programs
from local.keeper import Keeper
from local.ports import HOST, free_port
from tests.deploy.started import DEPLOY

FILE = DEPLOY / "pgbouncer" / "pgbouncer.ini"
SETTINGS = DEPLOY / "pgbouncer" / "settings.sql"
SIZE = {"session": 60, "transaction": 6}


def can_prepare() -> bool:
    """Whether this PgBouncer carries prepared statements from one connection to another."""
    numbers = re.findall(r"\d+", programs.version(programs.pgbouncer()))
    return (int(numbers[0]), int(numbers[1])) >= (1, 21)


@contextlib.contextmanager
def pooled(services: Services, folder: Path, mode: str) -> Iterator[str]:
    """The address of the database behind a pooler with so many connections of ``SIZE``."""
    there = urlsplit(services.database_url)
    port, configuration, users = free_port(), folder / "pgbouncer.ini", folder / "userlist.txt"
    passwords.write_privately(users, f'"{there.username}" "{there.password}"\n')
    passwords.write_privately(configuration, "")
    account.own(folder), account.own(users), account.own(configuration)
    with configuration.open("w") as file:
        _here(services, mode, port, users).write(file)
    pooler = Keeper("PgBouncer", folder)
    pooler.start(
        account.command(programs.pgbouncer(), str(configuration)), lambda _: _listens(port)
    )
    try:
        yield there._replace(netloc=there.netloc.rpartition(":")[0] + f":{port}").geturl()
    finally:
        # It would wait for those who are connected.
        pooler.kill()


def _here(services: Services, mode: str, port: int, users: Path) -> configparser.ConfigParser:
    """The file, with the places of this machine in it."""
    given = configparser.ConfigParser()
    given.read(FILE)
    name = urlsplit(services.database_url).path.strip("/")
    given["databases"] = {name: f"host={HOST} port={services.postgres.port} dbname={name}"}
    given["pgbouncer"].update(
        listen_addr=HOST,
        listen_port=str(port),
        auth_file=str(users),
        unix_socket_dir="",
        pool_mode=mode,
        default_pool_size=str(SIZE[mode]),
    )
    if not can_prepare():
        del given["pgbouncer"]["max_prepared_statements"]
    return given


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
