"""SNS as it signs: a certificate made for the run, and notifications signed with its key."""

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from app.transports.contract import RawRequest

TOPIC = "arn:aws:sns:eu-west-1:111122223333:pillarbox-ses"
CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0000testcert.pem"
BEGIN, END = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)

KEY = generate_private_key(65537, 2048)
GUESS = generate_private_key(65537, 2048)

ORDER = {
    "Notification": ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
    "SubscriptionConfirmation": [
        *("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
    ],
}
ORDER["UnsubscribeConfirmation"] = ORDER["SubscriptionConfirmation"]


def certificate(key: Any = KEY, *, end: datetime = END) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, BEGIN, end)
    return builder.sign(key, SHA256()).public_bytes(Encoding.PEM)


PEM = certificate()


def sign(
    request: RawRequest, *, at: float | None = None, key: RSAPrivateKey = KEY, **fields: Any
) -> RawRequest:
    """The notification with these fields, signed; with another time if ``at`` is given.

    A body that is no notification stays as it is.
    """
    try:
        content = json.loads(request.body)
    except ValueError:
        return request
    if not isinstance(content, dict):
        return request
    content |= fields
    if at is not None:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at)
        content["Timestamp"] = moment.isoformat().replace("+00:00", "Z")
    content["Signature"] = signature(content, key)
    headers = {
        **request.headers,
        "x-amz-sns-message-type": str(content.get("Type")),
        "x-amz-sns-message-id": str(content.get("MessageId")),
    }
    return replace(request, body=json.dumps(content).encode(), headers=headers)


def signature(content: dict[str, Any], key: RSAPrivateKey) -> str:
    names = [name for name in ORDER.get(str(content.get("Type")), []) if name in content]
    signed = "".join(f"{name}\n{content[name]}\n" for name in names).encode("utf-8", "replace")
    kind = SHA1() if content.get("SignatureVersion") == "1" else SHA256()
    return base64.b64encode(key.sign(signed, PKCS1v15(), kind)).decode()
