"""``arvel dispatch:resend``"""

from typing import ClassVar

from app.commands.operating import ARGUMENTS, HELP, Operate


class DispatchResend(Operate):
    signature: str = "dispatch:resend" + ARGUMENTS
    description: str = "Send done items once more, each as a new item with the same content." + HELP
    action: ClassVar[str] = "resend"
    done: ClassVar[str] = "resent"
