"""``arvel transport:list``"""

import json
import os
from typing import override

from arvel.kernel import app

from app.commands.answers import OK, Answer
from app.commands.offered import read_offer
from app.commands.render_providers import page, part
from app.configuration import Given, Readings
from app.configuration.offered import Listed, list_transports


class TransportList(Answer):
    signature: str = "transport:list {--json} {--page=}"
    description: str = (
        "Show the providers that there are: what each can do, whether it is configured, which"
        " settings are missing, and through which ones new messages go. Needs nothing to run."
        " --page providers prints docs/reference/providers.md, --page NAME a provider's part of it."
    )

    @override
    async def answer(self) -> int:
        if wanted := self.text_of("page"):
            text = page() if wanted == "providers" else part(read_offer(wanted).name)
            self.line(text.rstrip("\n"))
            return OK
        listed = list(list_transports(Readings(Given(os.environ, app().config().get))))
        if self.option("json"):
            self.line(json.dumps([as_json(one) for one in listed]))
        else:
            self.table(
                ["Name", "Method", "Configured", "Missing", "Can"],
                [row_of(one) for one in listed],
            )
        return OK


def as_json(one: Listed) -> dict[str, object]:
    return {
        "name": one.name,
        "method": one.method,
        "configured": one.configured,
        "chosen": one.chosen,
        "missing": list(one.missing),
        "capabilities": list(one.capabilities),
    }


def row_of(one: Listed) -> list[str]:
    state = "yes, in use" if one.chosen and one.configured else "yes" if one.configured else "no"
    return [one.name, one.method, state, ", ".join(one.missing), ", ".join(one.capabilities)]
