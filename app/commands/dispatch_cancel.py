"""``arvel dispatch:cancel``"""

from typing import ClassVar

from app.commands.operating import ARGUMENTS, HELP, Operate


class DispatchCancel(Operate):
    signature: str = "dispatch:cancel" + ARGUMENTS
    description: str = "Give queued, delayed and errored items up." + HELP
    action: ClassVar[str] = "cancel"
    done: ClassVar[str] = "cancelled"
