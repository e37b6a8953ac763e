"""Settings of the channel ``scaleway``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret, text
from app.transports.email.scaleway.config import ScalewayConfig

SCALEWAY = Section(
    "Email by Scaleway Transactional Email: `scaleway`",
    "Scaleway reports through a topic of Topics and Events to"
    " `https://USER:PASSWORD@…/webhooks/email/scaleway`: the password is all that keeps others from"
    " reporting. The first report asks to confirm the subscription; open the address in it."
    " Metadata and tags are headers of the message, which the receiver can read.",
    (
        secret(
            "scaleway",
            "SCALEWAY_SECRET_KEY",
            "The secret of an API key. Setting it makes the channel.",
        ),
        text("scaleway", "SCALEWAY_PROJECT_ID", "The id of the project that sends. Needed."),
        text("scaleway", "SCALEWAY_REGION", "The region of the project.", "", "fr-par"),
        text(
            "scaleway",
            "SCALEWAY_TOPIC_ARN",
            "The ARN of the topic whose reports are believed.",
            "every topic's are, from whoever knows the password",
        ),
        *common("scaleway", ScalewayConfig),
    ),
)
