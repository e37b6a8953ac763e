"""Settings of the channel ``brevo``."""

from app.configuration.kinds import Flag
from app.configuration.setting import Section, Setting
from app.configuration.table.email.rows import common, secret
from app.transports.email.brevo.config import BrevoConfig

BREVO = Section(
    "Email by Brevo: `brevo`",
    "Brevo reports to `https://USER:PASSWORD@…/webhooks/email/brevo`: it signs nothing, so the"
    " password is all that keeps others from reporting.",
    (
        secret("brevo", "BREVO_API_KEY", "An API key (v3). Setting it makes the channel."),
        Setting(
            "BREVO_SANDBOX",
            "dispatch.brevo.sandbox",
            Flag(),
            "Brevo checks messages and drops them, and never reports on them.",
            False,
        ),
        *common("brevo", BrevoConfig),
    ),
)
