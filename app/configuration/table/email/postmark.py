"""Settings of the channel ``postmark``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret, text
from app.transports.email.postmark.config import PostmarkConfig

POSTMARK = Section(
    "Email by Postmark: `postmark`",
    "Postmark reports to `https://USER:PASSWORD@…/webhooks/email/postmark`: it signs nothing, so"
    " the password is all that keeps others from reporting.",
    (
        secret(
            "postmark",
            "POSTMARK_SERVER_TOKEN",
            "The API token of a server. Setting it makes the channel.",
        ),
        text(
            "postmark",
            "POSTMARK_MESSAGE_STREAM",
            "The ID of the stream to send in.",
            "the server's default stream for transactional email",
        ),
        *common("postmark", PostmarkConfig),
    ),
)
