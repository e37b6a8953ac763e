"""A message says what was asked, to every reader, and again the same when it is built again."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from uuid import uuid7

import pytest

from app.transports.contract import Address, File
from app.transports.email.mime import Letter, build_letter
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.emails import an_email

PDF = File("invoice.pdf", "application/pdf", b"%PDF-1.7 ...")
LOGO = File("logo.png", "image/png", b"\x89PNG\r\n\x1a\n", "logo@mail.example.com")
HTML = '<p>Hello <img src="cid:logo@mail.example.com"></p>'


def build(**changes: object) -> Letter:
    return build_letter(an_email(**changes), "mail.example.com")


def parse(letter: Letter) -> EmailMessage:
    return BytesParser(EmailMessage, policy=SMTP).parsebytes(letter.content)


def built(**changes: object) -> EmailMessage:
    return parse(build(**changes))


def shape(part: EmailMessage) -> object:
    if not part.is_multipart():
        return part.get_content_type()
    return part.get_content_subtype(), [shape(child) for child in part.iter_parts()]


# --- identity


def test_two_builds_are_the_same_to_the_byte() -> None:
    email = an_email(html=HTML, files=(PDF, LOGO), headers={"X-A": "b"}, tags=("t",))

    assert build_letter(email, "example.com") == build_letter(replace(email), "example.com")


def test_another_attempt_of_the_item_keeps_its_message_id_and_date() -> None:
    email = an_email(html=HTML, files=(PDF, LOGO))
    again = replace(email, attempt_id=uuid7(), provider_key=uuid7())
    first, second = (parse(build_letter(one, "example.com")) for one in (email, again))

    assert first["Message-ID"] == second["Message-ID"] == f"<item-{email.item_id}@example.com>"
    assert first["Date"] == second["Date"]
    assert first.get_boundary() != second.get_boundary()


def test_the_date_is_when_the_item_was_queued() -> None:
    queued = datetime(2026, 3, 1, 14, 0, 5, tzinfo=timezone(timedelta(hours=2)))

    assert built(queued=queued)["Date"] == "Sun, 01 Mar 2026 12:00:05 +0000"


# --- structure


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"text": "a"}, "text/plain"),
        ({"text": "", "html": "<p>a"}, "text/html"),
        ({"text": "", "html": ""}, "text/plain"),
        ({"html": "<p>a"}, ("alternative", ["text/plain", "text/html"])),
        ({"files": (PDF,)}, ("mixed", ["text/plain", "application/pdf"])),
        (
            {"html": HTML, "files": (LOGO,)},
            ("alternative", ["text/plain", ("related", ["text/html", "image/png"])]),
        ),
        (
            {"text": "", "html": HTML, "files": (PDF, LOGO)},
            ("mixed", [("related", ["text/html", "image/png"]), "application/pdf"]),
        ),
        ({"files": (LOGO,)}, ("mixed", ["text/plain", "image/png"])),
    ],
)
def test_parts_stand_where_readers_expect_them(parts: dict[str, object], expected: object) -> None:
    assert shape(built(**parts)) == expected


def test_an_inline_image_is_found_by_its_content_id_and_has_a_name_of_its_own() -> None:
    """Field report 52: a Content-ID that ends in .com must not become the file's name."""
    message = built(html=HTML, files=(replace(LOGO, content_id="logo@mail.example.com"),))
    [image] = [part for part in message.walk() if part.get_content_maintype() == "image"]

    assert image["Content-ID"] == "<logo@mail.example.com>"
    assert image.get_content_disposition() == "inline"
    assert image.get_filename() == "logo.png"


def test_a_long_content_id_stays_what_it_is() -> None:
    content_id = f"{uuid7()}.{'x' * 80}@mail.example.com"
    letter = build(html=HTML, files=(replace(LOGO, content_id=content_id),))

    assert f"Content-ID: <{content_id}>\r\n".encode() in letter.content


def test_a_file_without_a_name_gets_a_plain_one() -> None:
    message = built(files=(replace(PDF, name=" "),))

    assert [part.get_filename() for part in message.iter_attachments()] == ["file"]


def test_an_attached_text_arrives_to_the_byte() -> None:
    content = b"a\r\nb\nc\rd\x00\xff"
    message = built(files=(File("a.csv", "text/csv; charset=latin-1", content),))
    [part] = message.iter_attachments()

    assert part.get_payload(decode=True) == content
    assert part.get_content_charset() == "latin-1"


def test_an_attached_message_arrives_to_the_byte() -> None:
    content = b"Subject: a\n\nb"
    [part] = built(files=(File("a.eml", "message/rfc822", content),)).iter_attachments()

    assert part.get_payload(decode=True) == content
    assert part.get_filename() == "a.eml"


def test_an_invitation_keeps_its_method() -> None:
    file = File("i.ics", 'text/calendar; method="REQUEST"', b"BEGIN:VCALENDAR")
    [part] = built(files=(file,)).iter_attachments()

    assert part["Content-Type"].params["method"] == "REQUEST"


# --- header fields


def test_every_address_field_is_complete() -> None:
    message = built(
        sender=Address("sender@example.com", 'Sender, Inc. (the "real" one)'),
        to=(Address("a@example.com", "Ann"), Address("b@example.com")),
        cc=(Address("c@example.com", "Ünal, Can"),),
        reply_to=(Address("d@example.com"), Address("e@example.com", "E")),
    )

    assert fields(message, "From") == [('Sender, Inc. (the "real" one)', "sender@example.com")]
    assert fields(message, "To") == [("Ann", "a@example.com"), ("", "b@example.com")]
    assert fields(message, "Cc") == [("Ünal, Can", "c@example.com")]
    assert fields(message, "Reply-To") == [("", "d@example.com"), ("E", "e@example.com")]
    assert "Bcc" not in message


def fields(message: EmailMessage, name: str) -> list[tuple[str, str]]:
    return [(one.display_name, one.addr_spec) for one in message[name].addresses]


def test_without_any_receiver_to_show_the_list_is_called_undisclosed() -> None:
    assert built(to=(), cc=())["To"] == "undisclosed-recipients:;"


def test_a_domain_is_encoded_in_every_address_field() -> None:
    """Field report 49."""
    address = Address("a@faß.de", "A")
    message = built(sender=address, to=(address,), cc=(address,), reply_to=(address,))

    for name in ("From", "To", "Cc", "Reply-To"):
        assert fields(message, name) == [("A", "a@xn--fa-hia.de")]


def test_a_long_word_in_a_header_is_never_encoded() -> None:
    value = f"<https://example.com/unsubscribe?token={'a' * 300}>, <mailto:out@example.com>"
    letter = build(headers={"List-Unsubscribe": value})

    assert parse(letter)["List-Unsubscribe"] == value
    assert b"a" * 300 in letter.content


def test_tags_are_sent_only_where_a_header_is_named_for_them() -> None:
    email = an_email(tags=("welcome", "größe"))

    assert b"welcome" not in build_letter(email, "example.com").content
    tagged = parse(build_letter(email, "example.com", "X-Tag"))
    assert tagged.get_all("X-Tag") == ["welcome", "größe"]


@pytest.mark.parametrize("name", ["Bcc", "bcc", "From", "To", "Message-ID", "DKIM-Signature",
    "Return-Path", "Content-Type", "MIME-Version", "Resent-Bcc", "Received", "X-Metadata",
    "", "X Y", "X:Y", "X\r\nY", "Größe", "X\x00"])  # fmt: skip
def test_a_header_that_is_not_the_caller_s_is_refused(name: str) -> None:
    with pytest.raises(UnsendableEmail):
        build(headers={name: "value"})


BREAKS = ["\r\n", "\r", "\n", "\x00", "\x0b", "\x0c", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("break_", BREAKS)
@pytest.mark.parametrize(
    "field", ["subject", "sender", "to", "cc", "reply_to", "header", "file", "type", "id", "tag"]
)
def test_a_line_break_is_refused_wherever_it_stands(field: str, break_: str) -> None:
    """Field report 48."""
    evil = f"a{break_}Bcc: evil@example.com"
    person = Address("a@example.com", evil)
    changes: dict[str, dict[str, object]] = {
        "header": {"headers": {"X-A": evil}},
        "file": {"files": (replace(PDF, name=evil),)},
        "type": {"files": (replace(PDF, content_type=f"text/plain; name={evil}"),)},
        "id": {"files": (replace(LOGO, content_id=evil),), "html": HTML},
        "tag": {"tags": (evil,)},
        "subject": {"subject": evil},
        "sender": {"sender": person},
    }
    email = an_email(**changes.get(field, {field: (person,)}))

    with pytest.raises(UnsendableEmail) as caught:
        build_letter(email, "example.com", "X-Tag")

    assert "evil" not in str(caught.value)


@pytest.mark.parametrize("field", ["text", "html", "subject"])
def test_half_a_character_is_refused(field: str) -> None:
    with pytest.raises(UnsendableEmail):
        build(**{field: "a\ud800b"})


def test_a_header_with_a_word_that_fits_no_line_is_refused() -> None:
    with pytest.raises(UnsendableEmail, match="X-Long"):
        build(headers={"X-Long": "a" * 1_000})


# --- the wire


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "é" * 50_000, "a\rb\r\nc\nd", ".\n..\n.x", "\x00\x01\xa0", "", "From x"]
)
def test_lines_are_short_ascii_and_end_in_crlf(text: str) -> None:
    content = build(text=text, html=text, files=(PDF,), subject="s" * 2_000).content

    assert content.isascii()
    assert content.endswith(b"\r\n")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert not set(content.replace(b"\r\n", b"")) & {0x00, 0x0A, 0x0D}


def test_a_text_can_not_end_its_part() -> None:
    email = an_email(html=HTML)
    boundary = parse(build_letter(email, "example.com")).get_boundary()
    text = f"before\n--{boundary}--\nafter"

    assert parse(build_letter(replace(email, text=text), "example.com")).get_body(
        ("plain",)
    ).get_content() == f"before\r\n--{boundary}--\r\nafter\r\n".replace("\r\n", "\r\n")
