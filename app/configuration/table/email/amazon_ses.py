"""Settings of the channel ``amazon_ses``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret, text
from app.transports.email.amazon_ses.config import AmazonSesConfig

AMAZON_SES = Section(
    "Email by Amazon SES: `amazon_ses`",
    "SES reports to an SNS topic, and that to `https://…/webhooks/email/amazon_ses`, signed; the"
    " subscription is confirmed by itself if the topic is named here.",
    (
        text(
            "amazon_ses",
            "SES_ACCESS_KEY_ID",
            "The id of an access key that may `ses:SendEmail`. Setting it makes the channel.",
        ),
        secret("amazon_ses", "SES_SECRET_ACCESS_KEY", "The secret of that key."),
        secret("amazon_ses", "SES_SESSION_TOKEN", "The token of a temporary key."),
        text("amazon_ses", "SES_REGION", "The region, such as eu-west-1."),
        text(
            "amazon_ses",
            "SES_CONFIGURATION_SET",
            "The configuration set to send with: its event destination reports.",
            "that of the sender's identity",
        ),
        text(
            "amazon_ses",
            "SES_TOPIC_ARNS",
            "The SNS topics that may report, by comma.",
            "reports are believed by their password alone",
        ),
        *common("amazon_ses", AmazonSesConfig),
    ),
)
