"""A mail server with moods. It takes no message that it says it hasn't taken."""

import re
from typing import override
from uuid import UUID

from aiosmtpd.smtp import SMTP

from local.faults.desk import Desk
from local.faults.moods import Reply
from tests.fakes.smtp_server import NONE, MailServer, drop, hang

ITEM = re.compile(rb"Message-ID: <item-([0-9a-f-]{36})@", re.IGNORECASE)

ANSWERS = {
    Reply.ACCEPT: "250 2.0.0 OK: queued as 4711",
    Reply.BUSY: "451 4.3.2 Busy, try again later",
    Reply.REFUSE: "550 5.1.1 No such user",
}


class Smtp(MailServer):
    """Each worker has a host name of its own, by which the server knows who asks."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(tls=NONE)
        self._desk = desk

    @override
    async def answer(self, command: str, server: SMTP, usual: str) -> str:
        if command != "DATA":
            return usual
        envelope, session = server.envelope, server.session
        assert envelope is not None
        assert session is not None
        found = ITEM.search(bytes(envelope.original_content or b""))
        assert found is not None
        receiver, worker = envelope.rcpt_tos[0], str(session.host_name).partition(".")[0]
        visit = self._desk.open(receiver, UUID(found[1].decode()), None, worker)
        await visit.weigh(lambda: None)
        match visit.mood.treatment.reply:
            case Reply.HANG:
                return await hang(server)
            case Reply.DROP:
                return await drop(server)
            case reply:
                visit.entry.note_answer()
                return ANSWERS[reply]
