"""The conversation by which one message is handed to a mail server (RFC 5321 section 3.3)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.transports.contract import Accepted, NotSent, Outcome, Rejected, Unknown
from app.transports.email.mime import Letter
from app.transports.email.smtp_connection import FAILURES, Connection
from app.transports.email.smtp_replies import (
    SERVICE_CLOSING,
    read_receiver_refusal,
    read_refusal,
    write_reply,
)
from app.transports.email.smtp_session import Stopped

START_INPUT = 354
LEADING_DOT = re.compile(rb"(?m)^\.")


@dataclass(slots=True)
class Progress:
    """How far one call has come. Once ``content_begun``, silence no longer means *not sent*."""

    content_begun: bool = False


async def open_envelope(connection: Connection, letter: Letter) -> None:
    """MAIL and RCPT. Raises :class:`Stopped`; nothing of the message is sent.

    That a server has left a session which we kept shows at its first command: it gets a new
    session then, once.
    """
    reused = await connection.prepare()
    try:
        await name_sender(connection, letter)
    except Stopped as stopped:
        if not (reused and has_left(stopped.outcome)):
            raise
        connection.drop()
        await connection.prepare()
        await name_sender(connection, letter)
    await name_receiver(connection, letter)


async def name_sender(connection: Connection, letter: Letter) -> None:
    extensions = connection.client.esmtp_extensions
    obstacle = find_obstacle(letter, extensions)
    if obstacle:
        connection.settle()
        raise Stopped(Rejected(obstacle))
    options = ["SMTPUTF8", "BODY=8BITMIME"] if letter.needs_smtputf8 else []
    if "size" in extensions:
        options.append(f"SIZE={len(letter.content)}")
    code, message = await connection.say("MAIL", f"FROM:<{letter.sender}>", *options)
    if not is_success(code):
        raise refused(connection, read_refusal(code, message))


async def name_receiver(connection: Connection, letter: Letter) -> None:
    code, message = await connection.say("RCPT", f"TO:<{letter.receiver}>")
    if not is_success(code):
        raise refused(connection, read_receiver_refusal(code, message))


async def hand_over(connection: Connection, letter: Letter, progress: Progress) -> Outcome:
    """DATA, the message and the server's answer to it."""
    code, message = await connection.say("DATA")
    if code != START_INPUT:
        raise refused(connection, read_refusal(code, message))
    protocol = connection.client.protocol
    if protocol is None or not protocol.is_connected:
        raise connection.lost()
    progress.content_begun = True
    protocol.write(LEADING_DOT.sub(b"..", letter.content) + b".\r\n")
    try:
        code, message = await protocol.read_response()
    except FAILURES:
        return unknown("its answer could not be read")
    return read_answer(connection, letter, code, message)


def read_answer(connection: Connection, letter: Letter, code: int, message: str) -> Outcome:
    refusal = read_refusal(code, message)
    if not is_success(code) and refusal is None:
        return unknown(f"its answer makes no sense: {write_reply(code, message)}")
    connection.settle()
    if code == SERVICE_CLOSING:
        connection.drop()
    return refusal or Accepted(letter.message_id, write_reply(code, message), final=True)


def find_obstacle(letter: Letter, extensions: Mapping[str, str]) -> str | None:
    """Why this server can't take this message at all, from what it says of itself."""
    limit = extensions.get("size", "").strip()
    if limit.isdecimal() and 0 < int(limit) < len(letter.content):
        return (
            f"The message is too large: it has {len(letter.content)} bytes, and the mail server"
            f" takes {limit}."
        )
    if letter.needs_smtputf8 and "smtputf8" not in extensions:
        return (
            "An address has non-ASCII characters before the @, and the mail server does not take"
            " such addresses (SMTPUTF8)."
        )
    return None


def refused(connection: Connection, outcome: Outcome | None) -> Stopped:
    if outcome is None:
        return Stopped(NotSent(f"{connection.config.server} gave an answer that is not SMTP."))
    connection.settle(half_done=True)
    return Stopped(outcome)


def unknown(why: str) -> Unknown:
    return Unknown(f"The message was handed to the mail server, but {why}: it may have been sent.")


def has_left(outcome: Outcome) -> bool:
    return isinstance(outcome, NotSent) or getattr(outcome, "code", "") == str(SERVICE_CLOSING)


def is_success(code: int) -> bool:
    return 200 <= code < 300
