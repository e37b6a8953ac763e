"""What work costs: CPU of processes, statements at PostgreSQL, round trips to Valkey, memory."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import psutil
from redis.asyncio import Redis

from local import Services
from local.postgres import Postgres

STATEMENTS = """
SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()
"""
"""Each of our statements is a transaction of its own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Counters at one moment, or what was counted since. ``cpu_s``: of the processes;
    ``postgres_s``: of PostgreSQL. Valkey's is left out, as is the provider's."""

    cpu_s: float
    postgres_s: float
    statements: int
    round_trips: int

    def since(self, before: Reading) -> Reading:
        return Reading(
            self.cpu_s - before.cpu_s,
            self.postgres_s - before.postgres_s,
            self.statements - before.statements,
            self.round_trips - before.round_trips,
        )


class Meter:
    """Reads the counters of both servers and of the processes that it watches."""

    def __init__(self, services: Services) -> None:
        assert isinstance(services.postgres, Postgres)
        self._url = services.postgres.admin_url
        self._postmaster = psutil.Process(int((services.postgres.folder / "pid").read_text()))
        self._processes: list[psutil.Process] = []

    def watch(self, process: psutil.Process) -> None:
        self._processes.append(process)

    async def read(self, redis: Redis) -> Reading:
        trips = int((await redis.info("stats"))["total_reads_processed"])
        ours = sum(map(cpu_of_tree, self._processes))
        return Reading(ours, cpu_of_tree(self._postmaster), 0, trips)

    async def statements(self) -> int:
        """So far; what runs at the moment is counted only when it has ended for seconds."""
        connection = await asyncpg.connect(self._url)
        try:
            return int(await connection.fetchval(STATEMENTS))
        finally:
            await connection.close()


def cpu_of_tree(process: psutil.Process) -> float:
    """Seconds of a process, of its children, and of those that it has waited for."""
    total = 0.0
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                times = one.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
    return total


def peak_mib(process: psutil.Process) -> float:
    """The most memory that a process has held so far, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024


def cores() -> int:
    return len(os.sched_getaffinity(0))
