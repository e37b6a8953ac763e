"""The settings of the processes: real channels on fake providers, and clocks that run fast."""

import base64
import os

from local import Services
from local.faults.providers import Providers
from local.faults.resend import SECRET
from tests.fakes.postmark.given import PASSWORD

PUBLIC = "https://hooks.example.com"
SILENCE_S = 12.0
"""Seconds after which a message that nobody reports on counts as unconfirmed."""

SEND_TIMEOUT_S = 4.0
LEASE_S = 9.0
RESCUE_S = LEASE_S + 5.0
"""Seconds after its claim when an attempt without a record is settled by others at the earliest."""

CLOCKS = {
    "DISPATCH_CONNECT_TIMEOUT": "1",
    "DISPATCH_SEND_TIMEOUT": f"{SEND_TIMEOUT_S:g}",
    "DISPATCH_LEASE": f"{LEASE_S:g}",
    "DISPATCH_JOB_TIMEOUT": "10",
    "DISPATCH_LOCK_EXPIRY": "12",
    "DISPATCH_DRAIN": "10",
    "SHUTDOWN_GRACE": "15",
    "DISPATCH_SWEEP_EVERY": "1",
    "DISPATCH_TIMEOUT_EVERY": "1",
    "DISPATCH_REDISPATCH_AFTER": "2",
    "DISPATCH_RETRY_BASE": "0.5",
    "DISPATCH_RETRY_CAP": "4",
    "DISPATCH_MAX_RETRIES": "6",
    "DISPATCH_MAX_RESCUES": "2",
    "SMS_TIMEOUT_HOURS": str(SILENCE_S / 3600),
    "EMAIL_TIMEOUT_HOURS": str(SILENCE_S / 3600),
}


def environment(services: Services, storage: str, fakes: Providers) -> dict[str, str]:
    """What all processes share."""
    postmark, twilio, smtp = fakes.postmark, fakes.twilio, fakes.smtp
    return {
        **services.environment,
        **CLOCKS,
        "PYTHON_DOTENV_DISABLED": "1",
        "APP_ENV": "local",
        "APP_KEY": f"base64:{base64.b64encode(os.urandom(32)).decode()}",
        "API_RATE_LIMIT": "1000000",
        "PUBLIC_URL": PUBLIC,
        "STORAGE_PATH": storage,
        "LOG_LEVEL": "info",
        "DISPATCH_ALLOW_REAL": "*",
        "SMS_CHANNEL": "twilio",
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(smtp.port),
        "SMTP_TLS": "none",
        "MESSAGE_ID_DOMAIN": "example.com",
        "POSTMARK_SERVER_TOKEN": postmark.token,
        "POSTMARK_BASE_URL": postmark.base_url,
        "POSTMARK_WEBHOOK_USER": "hooks",
        "POSTMARK_WEBHOOK_PASSWORD": PASSWORD,
        "RESEND_API_KEY": fakes.resend.key,
        "RESEND_WEBHOOK_SECRET": SECRET,
        "TWILIO_ACCOUNT_SID": twilio.account_sid,
        "TWILIO_AUTH_TOKEN": twilio.auth_token,
        "TWILIO_BASE_URL": twilio.base_url,
        "TWILIO_FROM_NUMBER": "+15005550006",
    }


def named(worker: str, fakes: Providers) -> dict[str, str]:
    """By what the providers know which process asks them."""
    return {
        "WORKER_ID": worker,
        "SMTP_HELO": f"{worker}.example.com",
        "POSTMARK_MESSAGE_STREAM": worker,
        "RESEND_BASE_URL": f"{fakes.resend.base_url}/{worker}",
        "TWILIO_WEBHOOK_URL": f"{PUBLIC}/webhooks/sms/twilio?worker={worker}",
    }
