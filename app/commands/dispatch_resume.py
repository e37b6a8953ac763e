"""``arvel dispatch:resume``"""

from typing import override

from app.commands.answers import NOT_FOUND, OK, Answer
from app.commands.dispatch_pause import chosen_channels
from app.items import pause
from app.items.pause import UnknownChannel

ACTOR = "operator:cli"


class DispatchResume(Answer):
    signature: str = "dispatch:resume {channel?} {--all}"
    description: str = (
        "End the pause of a channel (or of --all): what waited is sent, and what the provider"
        " refused only because it did not accept our credentials is retried."
    )

    @override
    async def answer(self) -> int:
        try:
            for name in chosen_channels(self):
                concerned = await pause.resume(name, ACTOR)
                self.info(f"{name} sends again; items that had waited for it: {concerned}.")
        except UnknownChannel as unknown:
            self.error(str(unknown))
            return NOT_FOUND
        return OK
