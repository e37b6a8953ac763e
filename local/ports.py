"""Free ports on the loopback interface."""

import secrets
import socket

HOST = "127.0.0.1"
# Below the ports that the system hands to outgoing connections: one of those could take the port
# of a server that is being restarted, or connect to itself there.
RANGE = range(20_000, 32_000)


def free_port() -> int:
    """A port that nobody listens on now; somebody else may still be quicker to use it."""
    for _ in range(100):
        port = secrets.choice(RANGE)
        if _is_free(port):
            return port
    raise RuntimeError(f"no free port between {RANGE.start} and {RANGE.stop} on {HOST}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
