"""Settings of the channel ``mailersend``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret
from app.transports.email.mailersend.config import MailersendConfig

MAILERSEND = Section(
    "Email by MailerSend: `mailersend`",
    "MailerSend reports to `https://…/webhooks/email/mailersend`, and signs what it reports.",
    (
        secret(
            "mailersend",
            "MAILERSEND_API_TOKEN",
            "An API token that may send. Setting it makes the channel.",
        ),
        secret(
            "mailersend",
            "MAILERSEND_WEBHOOK_SECRET",
            "The signing secret of the webhook.",
            "reports are believed by their password alone",
        ),
        secret(
            "mailersend",
            "MAILERSEND_PREVIOUS_WEBHOOK_SECRET",
            "Believed while the secret is changed.",
        ),
        *common("mailersend", MailersendConfig),
    ),
)
