"""Sending: channels, clocks, retries and limits; times in seconds unless a name says so."""

from arvel import env

from app.configuration.table.email import EMAIL_PROVIDERS

email_providers = {
    provider.name: {
        setting.key.rpartition(".")[2]: env(setting.name, setting.default)
        for setting in provider.section.settings
    }
    for provider in EMAIL_PROVIDERS
}
"""A section for each, from its rows in the table of settings."""

configured = (provider.name for provider in EMAIL_PROVIDERS if env(provider.begins))

config = {
    # The channels that new messages take: a name from "channels" below.
    "email": env(
        "EMAIL_CHANNEL",
        "smtp" if env("SMTP_HOST") else next(configured, "sandbox"),
    ),
    "sms": env("SMS_CHANNEL", "twilio" if env("TWILIO_ACCOUNT_SID") else "sandbox"),
    # Outside production only these real receivers are reached: addresses, @domains, numbers or *.
    "allow_real": env("DISPATCH_ALLOW_REAL", ""),
    # The address under which providers reach us; several, by comma, during a move.
    "public_url": env("PUBLIC_URL", "http://127.0.0.1:8000"),
    "storage": env("STORAGE_PATH", "storage"),
    # Bytes of an email's texts and attachments together.
    "max_message_bytes": env("DISPATCH_MAX_MESSAGE_BYTES", 25_000_000),
    # The clocks: boot refuses another order.
    "connect_timeout": env("DISPATCH_CONNECT_TIMEOUT", 5.0),
    "send_timeout": env("DISPATCH_SEND_TIMEOUT", 30.0),
    "lease": env("DISPATCH_LEASE", 40.0),
    "job_timeout": env("DISPATCH_JOB_TIMEOUT", 45.0),
    "lock_expiry": env("DISPATCH_LOCK_EXPIRY", 60.0),
    "drain": env("DISPATCH_DRAIN", 40.0),
    "grace": env("SHUTDOWN_GRACE", 60.0),
    # Retries of a message that a provider asked to get later.
    "max_retries": env("DISPATCH_MAX_RETRIES", 12),
    "retry_base": env("DISPATCH_RETRY_BASE", 16.0),
    "retry_cap": env("DISPATCH_RETRY_CAP", 600.0),
    "retry_jitter": env("DISPATCH_RETRY_JITTER", False),
    # An email that a provider may have taken although it answered 5xx: retried "always", or
    # "when_safe", which is where the provider recognises it; else it is held for a person.
    "retry_5xx": env("DISPATCH_RETRY_5XX", "always"),
    # How emails carry our keys: a subclass of EmailTrackingStrategy or its dotted path.
    "email_tracking_strategy": env("EMAIL_TRACKING_STRATEGY", ""),
    # Say nothing when a provider takes a message only without metadata.
    "email_ignore_unsupported": env("EMAIL_IGNORE_UNSUPPORTED", False),
    # How often abandoned work may be repeated where the provider recognises it; 0: by a person.
    "max_rescues": env("DISPATCH_MAX_RESCUES", 0),
    # How long an accepted message may stay without a final report.
    "sms_timeout_hours": env("SMS_TIMEOUT_HOURS", 2.0),
    "sms_timeout_from": env("SMS_TIMEOUT_FROM", "queued"),
    "email_timeout_hours": env("EMAIL_TIMEOUT_HOURS", 96.0),
    "orphan_keep_hours": env("ORPHAN_KEEP_HOURS", 24.0),
    # How long what is done is kept; unset keeps it for good. Files go so many seconds after the
    # last message that has them is done, 0 at once; history after 35 days or more.
    "max_files_age_in_seconds": env("MAX_FILES_AGE_IN_SECONDS") or None,
    "history_keep_days": env("HISTORY_KEEP_DAYS") or None,
    "raw_event_keep_days": env("RAW_EVENT_KEEP_DAYS", 30.0),
    # How often the ticker looks, and what it waits before it looks again.
    "redispatch_after": env("DISPATCH_REDISPATCH_AFTER", 30.0),
    "sweep_every": env("DISPATCH_SWEEP_EVERY", 15.0),
    "poll_every": env("DISPATCH_POLL_EVERY", 30.0),
    "timeout_every": env("DISPATCH_TIMEOUT_EVERY", 30.0),
    "embedded_worker": env("EMBEDDED_WORKER", False),
    "smtp": {
        "host": env("SMTP_HOST", ""),
        "port": env("SMTP_PORT", 587),
        "username": env("SMTP_USERNAME", ""),
        "password": env("SMTP_PASSWORD", ""),
        "tls": env("SMTP_TLS", "starttls"),
        "ca_file": env("SMTP_CA_FILE", ""),
        "helo": env("SMTP_HELO", ""),
        "message_id_domain": env("MESSAGE_ID_DOMAIN", ""),
        "pool_size": env("SMTP_POOL_SIZE", 10),
    },
    **email_providers,
    "twilio": {
        "account_sid": env("TWILIO_ACCOUNT_SID", ""),
        "auth_token": env("TWILIO_AUTH_TOKEN", ""),
        "previous_auth_token": env("TWILIO_PREVIOUS_AUTH_TOKEN", ""),
        "api_key_sid": env("TWILIO_API_KEY_SID", ""),
        "api_key_secret": env("TWILIO_API_KEY_SECRET", ""),
        # With a shared key only its signatures are believed, but for the hours of the switch.
        "shared_key": env("TWILIO_SHARED_KEY", ""),
        "sha1_with_shared_key": env("TWILIO_SHA1_WITH_SHARED_KEY", False),
        "messaging_service_sid": env("TWILIO_MESSAGING_SERVICE_SID", ""),
        "from_number": env("TWILIO_FROM_NUMBER", ""),
        # The full URL given to Twilio; unset means polling.
        "webhook_url": env("TWILIO_WEBHOOK_URL", ""),
        "region": env("TWILIO_REGION", ""),
        "edge": env("TWILIO_EDGE", ""),
        "base_url": env("TWILIO_BASE_URL", ""),
    },
    "sandbox": {
        "webhook_secret": env("SANDBOX_WEBHOOK_SECRET", ""),
        # Between acceptance and the first report, and from one report to the next.
        "report_delay": env("SANDBOX_REPORT_DELAY", 1.0),
    },
}
