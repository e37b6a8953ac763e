"""What arrives is what was asked, whatever characters it is made of."""

from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP

from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.transports.contract import Accepted, Address, File, OutboundEmail
from app.transports.email.mime import build_letter
from app.transports.email.smtp import SmtpTransport
from tests.fakes.smtp_server import NONE, MailServer
from tests.providers.emails import an_email
from tests.providers.smtp_provider import plain_config

one_line = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=200)
awkward = st.text("aZ é😀=?_<>()\"\\,;:.@%*'\u00a0\u202e", max_size=200)
lines = st.one_of(one_line, awkward)
bodies = st.text(st.characters(exclude_categories=("Cs",)), max_size=400)
dotted = st.text("ab.\r\n =\t\x00é", max_size=200)
file_names = lines.map(str.strip).filter(lambda name: name and "=?" not in name)
files = st.lists(
    st.builds(
        File,
        name=file_names,
        content_type=st.sampled_from(["application/pdf", "text/plain", "image/png"]),
        content=st.binary(max_size=300),
        content_id=st.none() | st.just("image@mail.example.com"),
    ),
    max_size=3,
)
emails = st.builds(
    lambda **parts: an_email(**parts),
    subject=lines,
    sender=st.builds(Address, st.just("sender@example.com"), lines),
    to=st.lists(st.builds(Address, st.just("to@example.com"), lines), max_size=3).map(tuple),
    text=bodies | dotted,
    html=st.just("") | bodies | dotted,
    files=files.map(tuple),
)


def normal(text: str) -> str:
    """Line ends of every kind as one, and one at the end."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def body(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body((kind,))
    return None if part is None else part.get_payload(decode=True).decode().replace("\r\n", "\n")


def names(message: EmailMessage, field: str) -> list[str]:
    return [collapse(one.display_name) for one in message[field].addresses]


def collapse(name: str) -> str:
    """Runs of white space mean the same as one space in a name (RFC 5322 section 3.2.2)."""
    return " ".join(name.split())


def compare(email: OutboundEmail, message: EmailMessage) -> None:
    assert message["Subject"] == email.subject
    assert names(message, "From") == [collapse(email.sender.name)]
    assert names(message, "To") == [collapse(address.name) for address in email.to]
    assert body(message, "html") == (normal(email.html) if email.html else None)
    if email.text or not email.html:
        assert body(message, "plain") == normal(email.text)
    assert sorted(files_in(message)) == sorted((file.name, file.content) for file in email.files)


def files_in(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    for part in message.walk():
        if disposition := part["Content-Disposition"]:
            yield disposition.params["filename"], part.get_payload(decode=True)


@given(emails)
@settings(max_examples=300, deadline=None)
@example(an_email(subject=" a  b "))
@example(an_email(subject="=?utf-8?q?a?="))
@example(an_email(subject="a\u00a0"))
@example(an_email(sender=Address("sender@example.com", "x" * 500)))
def test_a_message_says_what_was_asked(email: OutboundEmail) -> None:
    letter = build_letter(email, "mail.example.com")

    compare(email, BytesParser(EmailMessage, policy=SMTP).parsebytes(letter.content))
    assert letter.content.isascii()
    assert max(map(len, letter.content.split(b"\r\n"))) <= 998
    assert letter == build_letter(email, "mail.example.com")


@given(emails)
@settings(max_examples=40, deadline=None)
async def test_a_message_arrives_as_it_was_asked(email: OutboundEmail) -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        outcome = await transport.send(email, lambda: None)
        await transport.close()

    assert isinstance(outcome, Accepted)
    [mail] = server.mails
    assert mail.content == build_letter(email, "mail.example.com").content
    compare(email, mail.message)
