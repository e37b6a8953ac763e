"""Settings of the channel ``sendgrid``."""

from app.configuration.kinds import Choice
from app.configuration.setting import Section, Setting
from app.configuration.table.email.rows import common, flag, secret, text
from app.transports.email.sendgrid.config import REGIONS, SendgridConfig

SENDGRID = Section(
    "Email by SendGrid: `sendgrid`",
    "SendGrid reports to `https://…/webhooks/email/sendgrid`, and signs what it reports if that is"
    " switched on there.",
    (
        secret(
            "sendgrid",
            "SENDGRID_API_KEY",
            "An API key that may send. Setting it makes the channel.",
        ),
        Setting(
            "SENDGRID_REGION",
            "dispatch.sendgrid.region",
            Choice(tuple(REGIONS)),
            "Where the account is.",
            "global",
        ),
        flag("sendgrid", "SENDGRID_SANDBOX", "SendGrid checks messages and sends nothing."),
        text(
            "sendgrid",
            "SENDGRID_WEBHOOK_KEY",
            "The verification key of the signed event webhook, as SendGrid shows it.",
            "reports are believed by their password alone",
        ),
        text("sendgrid", "SENDGRID_PREVIOUS_WEBHOOK_KEY", "Believed while the key is changed."),
        *common("sendgrid", SendgridConfig),
    ),
)
