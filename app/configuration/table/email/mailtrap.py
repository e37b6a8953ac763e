"""Settings of the channel ``mailtrap``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret, text
from app.transports.email.mailtrap.config import MailtrapConfig

MAILTRAP = Section(
    "Email by Mailtrap: `mailtrap`",
    "Mailtrap reports to `https://…/webhooks/email/mailtrap`, and signs what it reports.",
    (
        secret(
            "mailtrap",
            "MAILTRAP_API_TOKEN",
            "An API token that may send. Setting it makes the channel.",
        ),
        text(
            "mailtrap",
            "MAILTRAP_INBOX_ID",
            "Messages go into this inbox of Mailtrap's sandbox, and to nobody.",
            "messages go to their receivers",
        ),
        secret(
            "mailtrap",
            "MAILTRAP_WEBHOOK_SECRET",
            "The signature secret of the webhook.",
            "reports are believed by their password alone",
        ),
        secret(
            "mailtrap",
            "MAILTRAP_PREVIOUS_WEBHOOK_SECRET",
            "Believed while the secret is changed.",
        ),
        *common("mailtrap", MailtrapConfig),
    ),
)
