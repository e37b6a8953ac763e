"""Lines of the log about who was not let in; a few of many."""

from arvel.kernel.logging import LogManager

from app.controllers.sampled import Sampled

_lines = Sampled(10, seconds=60.0)


def log_refusal(action: str, address: str | None) -> None:
    if _lines.takes(action):
        left_out = _lines.left_out()
        LogManager().channel("console").warning(action, client=address, left_out=left_out)
