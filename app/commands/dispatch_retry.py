"""``arvel dispatch:retry``"""

from typing import ClassVar

from app.commands.operating import ARGUMENTS, HELP, Operate


class DispatchRetry(Operate):
    signature: str = "dispatch:retry" + ARGUMENTS
    description: str = "Queue delayed and errored items again, with a fresh budget." + HELP
    action: ClassVar[str] = "retry"
    done: ClassVar[str] = "retried"
