"""``arvel dispatch:show``"""

import json
from typing import cast, override

from app.commands.answers import NOT_FOUND, OK, Answer, read_uuid
from app.commands.story import describe_story
from app.commands.story_json import story_as_json
from app.models.queries.browse import find_story


class DispatchShow(Answer):
    signature: str = "dispatch:show {item} {--json}"
    description: str = (
        "Show an item: what it is, what will happen next, and all that happened to it. Bodies are"
        " not shown. --json prints the same for programs."
    )

    @override
    async def answer(self) -> int:
        item_id = read_uuid("ITEM", cast("str", self.argument("item")))
        story = await find_story(item_id)
        if story is None:
            self.error("There is no such item.")
            return NOT_FOUND
        if self.option("json"):
            self.line(json.dumps(story_as_json(story)))
        else:
            for line in describe_story(story):
                self.line(line)
        return OK
