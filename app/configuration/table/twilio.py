"""Settings of the channel ``twilio``."""

from app.configuration.kinds import Flag, Text
from app.configuration.kinds_of_text import CALLBACK_ADDRESS, SERVICE_ADDRESS
from app.configuration.setting import Section, Setting

TWILIO = Section(
    "SMS by Twilio: `twilio`",
    "Needs `TWILIO_AUTH_TOKEN`, or an API key to send with.",
    (
        Setting(
            "TWILIO_ACCOUNT_SID",
            "dispatch.twilio.account_sid",
            Text(),
            "AC and 32 digits. Setting it makes the channel.",
        ),
        Setting(
            "TWILIO_AUTH_TOKEN",
            "dispatch.twilio.auth_token",
            Text(),
            "Sends, unless there is an API key; shows that reports are Twilio's.",
            secret=True,
        ),
        Setting(
            "TWILIO_PREVIOUS_AUTH_TOKEN",
            "dispatch.twilio.previous_auth_token",
            Text(),
            "Believed for reports while the token is changed.",
            secret=True,
        ),
        Setting("TWILIO_API_KEY_SID", "dispatch.twilio.api_key_sid", Text(), "SK and 32 digits."),
        Setting(
            "TWILIO_API_KEY_SECRET",
            "dispatch.twilio.api_key_secret",
            Text(),
            "The secret of that key.",
            secret=True,
        ),
        Setting(
            "TWILIO_MESSAGING_SERVICE_SID",
            "dispatch.twilio.messaging_service_sid",
            Text(),
            "Chooses the number for messages whose sender has none.",
        ),
        Setting(
            "TWILIO_FROM_NUMBER",
            "dispatch.twilio.from_number",
            Text(),
            "The number for messages whose sender has none.",
        ),
        Setting(
            "TWILIO_WEBHOOK_URL",
            "dispatch.twilio.webhook_url",
            CALLBACK_ADDRESS,
            "The full address of `/webhooks/sms/twilio` that Twilio reports to.",
            otherwise="Twilio is asked instead",
        ),
        Setting(
            "TWILIO_SHARED_KEY",
            "dispatch.twilio.shared_key",
            Text(),
            "Reports must then be signed by it with HMAC-SHA256.",
            secret=True,
        ),
        Setting(
            "TWILIO_SHA1_WITH_SHARED_KEY",
            "dispatch.twilio.sha1_with_shared_key",
            Flag(),
            "Lets signatures by the auth token pass as well, for the hours of the switch.",
            False,
        ),
        Setting(
            "TWILIO_REGION",
            "dispatch.twilio.region",
            Text(),
            "The region that the account's credentials belong to, such as `ie1`.",
            otherwise="Twilio's first, `us1`",
        ),
        Setting(
            "TWILIO_EDGE",
            "dispatch.twilio.edge",
            Text(),
            "Where Twilio's network is entered, such as `dublin`.",
            otherwise="where Twilio chooses",
        ),
        Setting(
            "TWILIO_BASE_URL",
            "dispatch.twilio.base_url",
            SERVICE_ADDRESS,
            "Another address of Twilio's API, such as a proxy's; then without region and edge.",
            otherwise="https://api.twilio.com",
        ),
    ),
)
