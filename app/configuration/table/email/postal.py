"""Settings of the channel ``postal``."""

from app.configuration.kinds_of_text import SERVICE_ADDRESS
from app.configuration.setting import Section, Setting
from app.configuration.table.email.rows import common, key_of, secret, text
from app.transports.email.postal.config import PostalConfig

POSTAL = Section(
    "Email by Postal: `postal`",
    "A Postal installation reports to `https://…/webhooks/email/postal`, and signs what it reports"
    " with one key for all its mail servers. Where others have servers there too, set a password as"
    " well.",
    (
        secret(
            "postal",
            "POSTAL_API_KEY",
            "An API credential of the mail server. Setting it makes the channel.",
        ),
        text(
            "postal",
            "POSTAL_PUBLIC_KEY",
            "What the installation signs with, as `postal default-dkim-record` shows it.",
            "reports are believed by their password alone",
        ),
        text(
            "postal",
            "POSTAL_PREVIOUS_PUBLIC_KEY",
            "Believed while the key is changed.",
        ),
        *common("postal", PostalConfig)[:-1],
        Setting(
            "POSTAL_BASE_URL",
            key_of("postal", "POSTAL_BASE_URL"),
            SERVICE_ADDRESS,
            "Where Postal is, such as `https://postal.example.com`. Needed.",
        ),
    ),
)
