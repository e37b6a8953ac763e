"""Settings of the channel ``resend``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret
from app.transports.email.resend.config import ResendConfig

RESEND = Section(
    "Email by Resend: `resend`",
    "Resend reports to `https://…/webhooks/email/resend`, and signs what it reports.",
    (
        secret(
            "resend", "RESEND_API_KEY", "An API key that may send. Setting it makes the channel."
        ),
        secret(
            "resend",
            "RESEND_WEBHOOK_SECRET",
            "The signing secret of the webhook: `whsec_` and base64.",
            "reports are believed by their password alone",
        ),
        secret(
            "resend",
            "RESEND_PREVIOUS_WEBHOOK_SECRET",
            "Believed while the secret is changed.",
        ),
        *common("resend", ResendConfig),
    ),
)
