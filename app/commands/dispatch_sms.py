"""``arvel dispatch:sms``"""

from collections.abc import Mapping
from typing import ClassVar, override

from app.commands.answers import OK, Answer
from app.commands.given import read_person, read_text, read_time
from app.commands.queued import show_queued
from app.items import add_sms


class DispatchSms(Answer):
    # A shortcut may begin with a hyphen too: the one way to options that are no Python names.
    signature: str = (
        "dispatch:sms {---from|sender=} {--to=} {--body=} {---media-url|media_url=}"
        " {---send-at|send_at=} {---expires-at|expires_at=} {--priority=}"
    )
    description: str = (
        "Queue an SMS: --from +15550100009 --to +15550100001 --body Hi. Numbers are E.164; --body -"
        " reads stdin; --media-url is a public https address; times are ISO 8601 with a zone;"
        " --priority is high, default or bulk."
    )
    options: ClassVar[Mapping[str, str]] = {"sender": "--from", "receiver": "--to"}

    @override
    async def answer(self) -> int:
        item = await add_sms(
            sender=read_person(self.text_of("sender"), "cell"),
            receiver=read_person(self.text_of("to"), "cell"),
            body=read_text(self.text_of("body")),
            media_url=self.text_of("media_url"),
            send_at=read_time("--send-at", self.text_of("send_at")),
            expires_at=read_time("--expires-at", self.text_of("expires_at")),
            priority=self.text_of("priority") or "default",
        )
        show_queued(self, [item])
        return OK
