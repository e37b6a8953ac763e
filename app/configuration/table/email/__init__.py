"""The email providers that can be configured: a line each, in the order in which they are tried."""

from dataclasses import dataclass

from app.configuration.setting import Section
from app.configuration.table.email.amazon_ses import AMAZON_SES
from app.configuration.table.email.brevo import BREVO
from app.configuration.table.email.mailersend import MAILERSEND
from app.configuration.table.email.mailgun import MAILGUN
from app.configuration.table.email.mailjet import MAILJET
from app.configuration.table.email.mailtrap import MAILTRAP
from app.configuration.table.email.mandrill import MANDRILL
from app.configuration.table.email.postal import POSTAL
from app.configuration.table.email.postmark import POSTMARK
from app.configuration.table.email.resend import RESEND
from app.configuration.table.email.scaleway import SCALEWAY
from app.configuration.table.email.sendgrid import SENDGRID
from app.configuration.table.email.sparkpost import SPARKPOST
from app.configuration.table.email.unisender_go import UNISENDER_GO
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.api_config import ApiConfig
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.resend.config import ResendConfig
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.unisender_go.config import UnisenderGoConfig


@dataclass(frozen=True, slots=True)
class EmailProvider:
    """The channel ``name``: it exists once the first setting of its section is set."""

    name: str
    section: Section
    config: type[ApiConfig]

    @property
    def begins(self) -> str:
        return self.section.settings[0].name


EMAIL_PROVIDERS = (
    # One line each, by name.
    EmailProvider("amazon_ses", AMAZON_SES, AmazonSesConfig),
    EmailProvider("brevo", BREVO, BrevoConfig),
    EmailProvider("mailersend", MAILERSEND, MailersendConfig),
    EmailProvider("mailgun", MAILGUN, MailgunConfig),
    EmailProvider("mailjet", MAILJET, MailjetConfig),
    EmailProvider("mailtrap", MAILTRAP, MailtrapConfig),
    EmailProvider("mandrill", MANDRILL, MandrillConfig),
    EmailProvider("postal", POSTAL, PostalConfig),
    EmailProvider("postmark", POSTMARK, PostmarkConfig),
    EmailProvider("resend", RESEND, ResendConfig),
    EmailProvider("scaleway", SCALEWAY, ScalewayConfig),
    EmailProvider("sendgrid", SENDGRID, SendgridConfig),
    EmailProvider("sparkpost", SPARKPOST, SparkpostConfig),
    EmailProvider("unisender_go", UNISENDER_GO, UnisenderGoConfig),
)
