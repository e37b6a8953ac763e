"""``arvel dispatch:configuration``"""

from typing import override

from app.commands.answers import OK, Answer
from app.commands.render_configuration import page


class DispatchConfiguration(Answer):
    signature: str = "dispatch:configuration"
    description: str = "Print the page of settings: docs/reference/configuration.md is this output."

    @override
    async def answer(self) -> int:
        self.line(page().rstrip("\n"))
        return OK
