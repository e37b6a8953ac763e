"""Controllers that somebody might put in the place of ours."""

from app.controllers.api.items.controllers import QueueItemController, SentItemController
from app.controllers.api.operation import Answer, Call


class Quiet(QueueItemController):
    """Adds a word to each answer."""

    async def index(self, call: Call) -> Answer:
        answer = await super().index(call)
        return Answer(answer.body, headers={"x-own": "list"})

    async def show(self, call: Call) -> Answer:
        answer = await super().show(call)
        return Answer(answer.body, headers={"x-own": "item"})


class Own:
    """Knows nothing of ours."""

    async def index(self, _call: Call) -> Answer:
        return Answer({"data": [], "next": None})

    async def show(self, call: Call) -> Answer:
        return Answer({"id": str(call.key())})


class Writing(SentItemController):
    async def destroy(self, _call: Call) -> Answer:
        raise AssertionError("no route leads here")


class Blind:
    """Shows no item."""

    async def index(self, _call: Call) -> Answer:
        return Answer({})


class Demanding(Own):
    def __init__(self, account: str) -> None:
        self.account = account


def no_class() -> None:
    """A function."""
