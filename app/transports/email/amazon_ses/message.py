"""From an email to the JSON of ``POST /v2/email/outbound-emails``, with the message as MIME.

Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping

from app.transports.contract import MetadataRefused, OutboundEmail
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.api_message import to_bytes
from app.transports.email.mime import build_letter
from app.transports.email.unsendable import UnsendableEmail, require_one_line

METADATA = "X-Metadata"
TAGS = "X-Tag"
LONGEST_METADATA = 900
"""Characters; a line of a message has at most 998 (RFC 5322 section 2.1.1)."""

TAG = re.compile(r"[A-Za-z0-9_-]{1,256}")


def write_message(email: OutboundEmail, config: AmazonSesConfig) -> bytes:
    """The same bytes for the same email, however often it is called.

    The destination names the receiver alone, the headers show everybody. SES replaces Message-ID.

    Raises :class:`UnsendableEmail`, and :class:`MetadataRefused` for metadata that are too long.
    """
    domain = config.message_id_domain or email.sender.email.rpartition("@")[2]
    metadata = write_metadata(email.metadata)
    letter = build_letter(email, domain, TAGS)
    if letter.needs_smtputf8:
        raise UnsendableEmail("Amazon SES takes no address outside ASCII.")
    content = base64.b64encode(metadata + letter.content).decode("ascii")
    fields: dict[str, object] = {
        "Destination": {"ToAddresses": [letter.receiver]},
        "Content": {"Raw": {"Data": content}},
        "EmailTags": list(write_tags(email.metadata)),
        "ConfigurationSetName": config.configuration_set,
    }
    return to_bytes({name: value for name, value in fields.items() if value})


def write_metadata(metadata: Mapping[str, str]) -> bytes:
    """A header field that nothing folds: it has no white space."""
    if not metadata:
        return b""
    for name, value in metadata.items():
        require_one_line("Metadata", name + value)
    written = json.dumps(dict(metadata), separators=(",", ":")).replace(" ", "\\u0020")
    if len(written) > LONGEST_METADATA:
        raise MetadataRefused(f"A header holds at most {LONGEST_METADATA} characters of metadata")
    return f"{METADATA}: {written}\r\n".encode("ascii")


def write_tags(metadata: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """The keys once more, as far as tags can hold them: long headers are left out of reports."""
    for name, value in metadata.items():
        if TAG.fullmatch(name) and TAG.fullmatch(value):
            yield {"Name": name, "Value": value}
