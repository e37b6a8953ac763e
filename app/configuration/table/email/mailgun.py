"""Settings of the channel ``mailgun``."""

from app.configuration.kinds import Choice, Whole
from app.configuration.setting import Section, Setting
from app.configuration.table.email.rows import common, flag, secret, text
from app.transports.email.mailgun.config import MAX_AGE, REGIONS, MailgunConfig

MAILGUN = Section(
    "Email by Mailgun: `mailgun`",
    "Mailgun reports to `https://…/webhooks/email/mailgun`. Its signature does not cover what is"
    " reported, so a password in the address is worth having too.",
    (
        secret(
            "mailgun", "MAILGUN_API_KEY", "An API key that may send. Setting it makes the channel."
        ),
        text("mailgun", "MAILGUN_DOMAIN", "The sending domain at Mailgun."),
        Setting(
            "MAILGUN_REGION",
            "dispatch.mailgun.region",
            Choice(tuple(REGIONS)),
            "Where the domain is.",
            "us",
        ),
        flag("mailgun", "MAILGUN_SANDBOX", "Mailgun takes messages and delivers none."),
        secret(
            "mailgun",
            "MAILGUN_WEBHOOK_KEY",
            "The HTTP webhook signing key of the account.",
            "reports are believed by their password alone",
        ),
        secret("mailgun", "MAILGUN_PREVIOUS_WEBHOOK_KEY", "Believed while the key is changed."),
        Setting(
            "MAILGUN_WEBHOOK_MAX_AGE",
            "dispatch.mailgun.webhook_max_age",
            Whole(60, 7 * 86_400, "seconds"),
            "How old a signed report may be. Mailgun repeats one for 8 hours: what is refused for"
            " its age in that time is lost, so be stricter only if that is worth it.",
            MAX_AGE,
        ),
        *common("mailgun", MailgunConfig),
    ),
)
