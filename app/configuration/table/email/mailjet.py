"""Settings of the channel ``mailjet``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, flag, secret, text
from app.transports.email.mailjet.config import MailjetConfig

MAILJET = Section(
    "Email by Mailjet: `mailjet`",
    "Mailjet reports to `https://USER:PASSWORD@…/webhooks/email/mailjet`: it signs nothing, so the"
    " password is all that keeps others from reporting.",
    (
        text("mailjet", "MAILJET_API_KEY", "An API key. Setting it makes the channel."),
        secret("mailjet", "MAILJET_SECRET_KEY", "The secret of that key."),
        flag("mailjet", "MAILJET_SANDBOX", "Mailjet checks messages and sends nothing."),
        *common("mailjet", MailjetConfig),
    ),
)
