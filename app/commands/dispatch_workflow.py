"""``arvel dispatch:workflow``"""

from typing import override

from app.commands.answers import OK, Answer
from app.commands.render_workflow import page


class DispatchWorkflow(Answer):
    signature: str = "dispatch:workflow"
    description: str = "Print the page of states and transitions: docs/workflow.md is this output."

    @override
    async def answer(self) -> int:
        self.line(page())
        return OK
