"""``arvel dispatch:email``"""

from collections.abc import Mapping
from typing import ClassVar, override

from app.commands.answers import OK, Answer, BadInput
from app.commands.given import (
    read_files,
    read_headers,
    read_people,
    read_person,
    read_text,
    read_time,
)
from app.commands.queued import show_queued
from app.items import add_email


class DispatchEmail(Answer):
    # A shortcut may begin with a hyphen too: the one way to options that are no Python names.
    signature: str = (
        "dispatch:email {---from|sender=} {--to=*} {--cc=*} {--bcc=*} {---reply-to|reply_to=*}"
        " {--subject=} {--text=} {--html=} {--attach=*} {--inline=*} {--header=*} {--tag=*}"
        " {---send-at|send_at=} {---expires-at|expires_at=} {--priority=}"
    )
    description: str = (
        "Queue an email: --from 'Shop <shop@example.com>' --to anna@example.com --subject Hello"
        " --text Hi. --to, --cc, --bcc, --reply-to, --attach (a path), --inline (content-id=path),"
        " --header ('Name: value') and --tag may be repeated; --text - reads stdin; times are ISO"
        " 8601 with a zone; --priority is high, default or bulk."
    )
    options: ClassVar[Mapping[str, str]] = {
        "sender": "--from",
        "attachments": "--attach",
        "headers": "--header",
        "tags": "--tag",
    }

    @override
    async def answer(self) -> int:
        if self.text_of("text") == self.text_of("html") == "-":
            raise BadInput("Only one of --text and --html can be read from stdin.")
        items = await add_email(
            sender=read_person(self.text_of("sender"), "email"),
            to=read_people(self.texts_of("to")),
            cc=read_people(self.texts_of("cc")),
            bcc=read_people(self.texts_of("bcc")),
            reply_to=read_people(self.texts_of("reply_to")),
            subject=self.text_of("subject") or "",
            text=read_text(self.text_of("text")),
            html=read_text(self.text_of("html")),
            headers=read_headers(self.texts_of("header")),
            tags=self.texts_of("tag"),
            attachments=read_files(self.texts_of("attach"), self.texts_of("inline")),
            send_at=read_time("--send-at", self.text_of("send_at")),
            expires_at=read_time("--expires-at", self.text_of("expires_at")),
            priority=self.text_of("priority") or "default",
        )
        show_queued(self, items)
        return OK
