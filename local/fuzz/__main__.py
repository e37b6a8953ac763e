"""The command line of ``bin/fuzz``: schemathesis against the running application.

It reads the OpenAPI document, makes up requests that fit it and ones that don't, follows what it
created from one operation to the next, and checks every answer against the document.
"""

import argparse
import asyncio
import signal
import subprocess
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from local.demo.messages import send_all
from local.demo.play import application, everything, say
from local.folders import passing

PROGRAM = Path(sys.executable).parent / "schemathesis"
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")

OWN_END = "tokens.revoke"
"""The operation by which it would revoke the token that it works with."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/fuzz", description=__doc__)
    parser.add_argument("what", choices=["api"], help="what to try")
    parser.add_argument("--seconds", type=int, help="how long at most")
    parser.add_argument("--examples", type=int, default=100, help="requests an operation (100)")
    options, more = parser.parse_known_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # What it finds is only as good as the number of requests that it may make.
    with everything(API_RATE_LIMIT="1000000") as running:
        token = asyncio.run(_issue())
        say(f"Trying every operation of {running.address}/api/openapi.json …")
        return _try(running.address, token, options, more)


async def _issue() -> str:
    """A token that may do everything, and items in every state for it to meet."""
    from app.access.permissions import PERMISSIONS
    from app.access.tokens import Wish, issue
    from app.models.queries import users

    held = tuple(PERMISSIONS)
    async with application():
        user = uuid.uuid7()
        await users.add(user, "fuzz", "", None, (), held)
        await send_all(8, 8)
        end = datetime.now(UTC) + timedelta(days=1)
        return (await issue(user, frozenset(held), Wish("fuzz", held, end))).text


def _try(address: str, token: str, options: argparse.Namespace, more: list[str]) -> int:
    limit = [f"--max-time={options.seconds}"] if options.seconds else []
    with passing() as folder:
        command = [
            *(str(PROGRAM), f"--config-file={CONFIGURATION}"),
            *("run", f"{address}/api/openapi.json", f"--exclude-operation-id={OWN_END}"),
            *(f"--header=Authorization: Bearer {token}", "--checks=all", "--workers=2"),
            *(f"--max-examples={options.examples}", "--request-timeout=20", *limit, *more),
        ]
        # Its notes of the run are of no use once the servers are gone.
        return subprocess.run(command, check=False, cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(main())
