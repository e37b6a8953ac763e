"""``arvel dispatch:sweep``"""

from typing import cast, override

from arvel.kernel import app

from app.commands.answers import OK, Answer
from app.items.publish import Oldest
from app.items.sweep import sweep
from app.jobs.look_up import find

MEANINGS = {
    "expired": "cancelled, because they had expired",
    "read_back": "outcomes read back that could not be recorded before",
    "events": "stored events applied",
    "rescued": "attempts settled whose worker had died",
    "republished": "published again, because their message was lost",
    "healed": "queued again whose publishing had failed",
}


class DispatchSweep(Answer):
    signature: str = "dispatch:sweep"
    description: str = (
        "Look once for whatever was dropped on the way, as the workers do by themselves, and say"
        " what was found."
    )

    @override
    async def answer(self) -> int:
        found = await sweep(cast("Oldest", app().make("queue.oldest")), find)
        for name, items in found.items():
            if items:
                self.line(f"{items:>7,}  {MEANINGS.get(name, name)}")
        if not any(found.values()):
            self.info("Nothing was dropped.")
        return OK
