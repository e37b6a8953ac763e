"""The one table of settings; docs/reference/configuration.md and .env.example come from it."""

from app.configuration.setting import Section, Setting
from app.configuration.table.api import API
from app.configuration.table.application import APPLICATION
from app.configuration.table.channels import CHANNELS, SANDBOX
from app.configuration.table.email import EMAIL_PROVIDERS
from app.configuration.table.metrics import METRICS
from app.configuration.table.retention import RETENTION
from app.configuration.table.sending import CLOCKS, PERIODS, RETRIES, WAITING
from app.configuration.table.servers import SERVERS
from app.configuration.table.smtp import SMTP
from app.configuration.table.telemetry import TELEMETRY
from app.configuration.table.tracking import TRACKING
from app.configuration.table.twilio import TWILIO
from app.configuration.table.worker import WORKER

SECTIONS: tuple[Section, ...] = (
    APPLICATION,
    API,
    SERVERS,
    WORKER,
    CHANNELS,
    SMTP,
    *(provider.section for provider in EMAIL_PROVIDERS),
    TWILIO,
    SANDBOX,
    CLOCKS,
    RETRIES,
    TRACKING,
    WAITING,
    PERIODS,
    RETENTION,
    METRICS,
    TELEMETRY,
)

SETTINGS: dict[str, Setting] = {
    setting.name: setting for section in SECTIONS for setting in section.settings
}
