"""A network of hosts, made of Linux network namespaces, a bridge and pairs of virtual cables.

Nothing of it touches the machine's own network: the bridge has a namespace to itself, so every run
may use the same addresses. Namespaces are named after the process that made them, and whatever a
killed one left is removed by the next.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

PREFIX = "pillarbox"
SUBNET = "10.77.0"
FOLDER = Path("/run/netns")


class Impossible(RuntimeError):
    """This machine, or this account, can't have network namespaces; the text says why."""


class Host:
    """One namespace with one address; ``cut`` parts it from all others without a word."""

    def __init__(self, name: str, number: int, network: Network) -> None:
        self.name = name
        self.address = f"{SUBNET}.{number}"
        self._network = network
        self._port = f"p{number}"

    @property
    def namespace(self) -> str:
        return self._network.named(self.name)

    @property
    def file(self) -> Path:
        return FOLDER / self.namespace

    def command(self, *words: str) -> list[str]:
        """The command that runs something on this host."""
        return ["ip", "netns", "exec", self.namespace, *words]

    def cut(self) -> None:
        """Unplug it at the switch: nothing arrives any more, and no end is told."""
        self._network.on_switch("link", "set", self._port, "nomaster")

    def heal(self) -> None:
        self._network.on_switch("link", "set", self._port, "master", "switch")

    def plug_in(self) -> None:
        run("netns", "add", self.namespace)
        switch = self._network.named("switch")
        self._network.on_switch(
            *("link", "add", self._port, "type", "veth"),
            *("peer", "name", "eth0", "netns", self.namespace),
        )
        for device in ("lo", "eth0"):
            run("-n", self.namespace, "link", "set", device, "up")
        run("-n", self.namespace, "address", "add", f"{self.address}/24", "dev", "eth0")
        run("-n", switch, "link", "set", self._port, "up")
        self.heal()


class Network:
    """The switch, and the names of everything that belongs to one run."""

    def __init__(self) -> None:
        self._own = f"{PREFIX}-{os.getpid()}-{os.urandom(2).hex()}"

    def named(self, what: str) -> str:
        return f"{self._own}-{what}"

    def on_switch(self, *words: str) -> None:
        run("-n", self.named("switch"), *words)

    def build(self, names: Sequence[str]) -> dict[str, Host]:
        run("netns", "add", self.named("switch"))
        self.on_switch("link", "add", "switch", "type", "bridge")
        self.on_switch("link", "set", "switch", "up")
        hosts = {name: Host(name, number, self) for number, name in enumerate(names, 2)}
        for host in hosts.values():
            host.plug_in()
        return hosts

    def remove(self) -> None:
        _remove(name for name in _present() if name.startswith(self._own))


@contextlib.contextmanager
def hosts(*names: str) -> Iterator[dict[str, Host]]:
    """Hosts that reach each other, by their names; removed at the end whatever happens.

    Raises:
        Impossible: before anything is made.
    """
    _require()
    _remove_leftovers()
    network = Network()
    try:
        yield network.build(names)
    finally:
        network.remove()


def run(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def _require() -> None:
    if os.geteuid() != 0:
        raise Impossible("network namespaces are root's to make")
    if shutil.which("ip") is None:
        raise Impossible("there is no program ip here (package iproute2)")
    network = Network()
    try:
        network.build(["trial"])
    except RuntimeError as error:
        raise Impossible(f"network namespaces can't be made here ({error})") from error
    finally:
        network.remove()


def _present() -> list[str]:
    return [file.name for file in FOLDER.glob(f"{PREFIX}-*")] if FOLDER.exists() else []


def _remove_leftovers() -> None:
    """Of processes that ended before they could clean up."""
    _remove(name for name in _present() if not psutil.pid_exists(int(name.split("-")[1])))


def _remove(names: Iterator[str]) -> None:
    for name in list(names):
        subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)
