"""What tests of Twilio begin with: a configuration, a message, a go."""

from typing import Any
from uuid import uuid7

from app.transports.contract import OutboundSms
from app.transports.sms.twilio_config import TwilioConfig
from tests.fakes.twilio import FakeTwilio

SENDER = "+15005550006"
RECEIVER = "+15005550009"


def config_for(twilio: FakeTwilio, **settings: Any) -> TwilioConfig:
    given = {
        "account_sid": twilio.account_sid,
        "auth_token": twilio.auth_token,
        "base_url": twilio.base_url,
        "from_number": SENDER,
        "total_timeout": 10.0,
    }
    return TwilioConfig(**(given | settings))


def an_sms(**fields: Any) -> OutboundSms:
    given = {
        "item_id": uuid7(),
        "attempt_id": uuid7(),
        "provider_key": uuid7(),
        "sender": "",
        "receiver": RECEIVER,
        "body": "Your table is ready.",
        "media_url": None,
    }
    return OutboundSms(**(given | fields))


def go() -> None:
    """The lease is fine."""
