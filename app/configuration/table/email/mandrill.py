"""Settings of the channel ``mandrill``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret, text
from app.transports.email.mandrill.config import MandrillConfig

MANDRILL = Section(
    "Email by Mandrill (Mailchimp Transactional): `mandrill`",
    "Mandrill reports to `https://…/webhooks/email/mandrill`, and signs what it reports. Let it"
    " report deliveries too: without them a message is never known to be delivered.",
    (
        secret("mandrill", "MANDRILL_API_KEY", "An API key. Setting it makes the channel."),
        text(
            "mandrill",
            "MANDRILL_SUBACCOUNT",
            "The id of the subaccount to send by.",
            "the account itself",
        ),
        secret(
            "mandrill",
            "MANDRILL_WEBHOOK_KEY",
            "The key that Mandrill shows beside the webhook.",
            "reports are believed by their password alone",
        ),
        secret(
            "mandrill",
            "MANDRILL_PREVIOUS_WEBHOOK_KEY",
            "Believed while the key is changed.",
        ),
        *common("mandrill", MandrillConfig),
    ),
)
