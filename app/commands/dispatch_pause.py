"""``arvel dispatch:pause``"""

from typing import override

from app.commands.answers import NOT_FOUND, OK, Answer, BadInput
from app.items import pause
from app.items.pause import UnknownChannel


class DispatchPause(Answer):
    signature: str = "dispatch:pause {channel?} {--all} {--seconds=} {--reason=}"
    description: str = (
        "Send nothing through a channel (or --all) until dispatch:resume, or for --seconds N;"
        " --reason is shown wherever the pause is. Messages wait and are lost by it in no way."
    )

    @override
    async def answer(self) -> int:
        seconds, reason = self.seconds(), self.text_of("reason") or "paused by hand"
        try:
            for name in chosen_channels(self):
                await pause.pause(name, reason, seconds=seconds)
                self.info(f"{name} is paused.")
        except UnknownChannel as unknown:
            self.error(str(unknown))
            return NOT_FOUND
        return OK

    def seconds(self) -> float | None:
        text = self.text_of("seconds")
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and int(text) > 0):
            raise BadInput("--seconds must be a whole number above 0.")
        return float(text)


def chosen_channels(command: Answer) -> list[str]:
    """The one that was named, or all of them with ``--all``; raises :class:`BadInput`."""
    name = command.argument("channel")
    if bool(name) == bool(command.option("all")):
        raise BadInput(f"Name one channel ({', '.join(pause.names())}), or use --all.")
    return [str(name)] if name else pause.names()
