"""``bin/screenshots``: makes docs/images anew."""

import asyncio
import sys
from pathlib import Path

from local.demo.play import application, everything, say
from local.screenshots.messages import send_all
from local.screenshots.taking import take_all

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
MESSAGES = 120
PASSWORD = "correct horse battery"  # noqa: S105 - of a database that is gone a minute later
NAME = "anna"


def main() -> int:
    into = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    into.mkdir(parents=True, exist_ok=True)
    with everything(SANDBOX_REPORT_DELAY="2") as running:
        asyncio.run(_take(running.address, into))
    say(f"The pictures are in {into}.")
    return 0


async def _take(address: str, into: Path) -> None:
    async with application():
        from app.access import users

        await users.add(users.NewUser(NAME, "", PASSWORD, ["administrator"]))
        say(f"Sending {MESSAGES} messages through the sandbox …")
        await send_all(MESSAGES)
        await take_all(address, NAME, PASSWORD, into)


if __name__ == "__main__":
    sys.exit(main())
