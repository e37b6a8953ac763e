"""Typed, validated views over ``config/``: what the rest of the application reads."""

from typing import ClassVar, Literal

from arvel.kernel import Settings


class SmtpSettings(Settings):
    __config_key__: ClassVar[str | None] = "dispatch.smtp"
    host: str = ""
    port: int = 587
    username: str = ""
    password: str = ""
    tls: str = "starttls"
    ca_file: str = ""
    helo: str = ""
    message_id_domain: str = ""
    pool_size: int = 10


class TwilioSettings(Settings):
    __config_key__: ClassVar[str | None] = "dispatch.twilio"
    account_sid: str = ""
    auth_token: str = ""
    previous_auth_token: str = ""
    api_key_sid: str = ""
    api_key_secret: str = ""
    shared_key: str = ""
    sha1_with_shared_key: bool = False
    messaging_service_sid: str = ""
    from_number: str = ""
    webhook_url: str = ""
    region: str = ""
    edge: str = ""
    base_url: str = ""


class SandboxSettings(Settings):
    __config_key__: ClassVar[str | None] = "dispatch.sandbox"
    webhook_secret: str = ""
    report_delay: float = 1.0


class ClockSettings(Settings):
    """How long each part of an attempt may take, in seconds.

    The order is what keeps a message from being sent twice: a call ends before its lease, the
    lease before the job is cancelled, the job before its lock expires.
    """

    __config_key__: ClassVar[str | None] = "dispatch"
    connect_timeout: float = 5.0
    send_timeout: float = 30.0
    lease: float = 40.0
    job_timeout: float = 45.0
    lock_expiry: float = 60.0
    drain: float = 40.0
    grace: float = 60.0

    @property
    def go_window(self) -> float:
        """For how long after the moment before its claim an attempt may begin to transmit."""
        return self.lease - self.send_timeout - 2.0


class RetrySettings(Settings):
    __config_key__: ClassVar[str | None] = "dispatch"
    max_retries: int = 12
    retry_base: float = 16.0
    retry_cap: float = 600.0
    retry_jitter: bool = False
    retry_5xx: Literal["always", "when_safe"] = "always"


class TrackingSettings(Settings):
    """``email_tracking_strategy`` is a class or its dotted path; empty means metadata."""

    __config_key__: ClassVar[str | None] = "dispatch"
    email_tracking_strategy: object = ""
    email_ignore_unsupported: bool = False


class RescueSettings(Settings):
    """``max_rescues``: how often an item may be sent again by itself after its worker died, and
    only where the provider deduplicates; 0 leaves that to a person."""

    __config_key__: ClassVar[str | None] = "dispatch"
    max_rescues: int = 0


class DispatchSettings(Settings):
    __config_key__: ClassVar[str | None] = "dispatch"
    email: str = "sandbox"
    sms: str = "sandbox"
    allow_real: str = ""
    public_url: str = "http://127.0.0.1:8000"
    storage: str = "storage"
    sms_timeout_hours: float = 2.0
    sms_timeout_from: str = "queued"
    email_timeout_hours: float = 96.0
    orphan_keep_hours: float = 24.0
    redispatch_after: float = 30.0
    sweep_every: float = 15.0
    poll_every: float = 30.0
    timeout_every: float = 30.0
    embedded_worker: bool = False

    @property
    def public_urls(self) -> tuple[str, ...]:
        """Where providers reach us, without a trailing slash; several during a move."""
        return tuple(u.strip().rstrip("/") for u in self.public_url.split(",") if u.strip())


class RetentionSettings(Settings):
    """How long what is done is kept; ``None`` keeps it for good.

    Raises :class:`msgspec.ValidationError` when a time is shorter than is safe.
    """

    __config_key__: ClassVar[str | None] = "dispatch"
    least_days: ClassVar[int] = 35
    """Longer than the slowest report of any provider, so that one finds its message."""

    max_files_age_in_seconds: float | None = None
    history_keep_days: float | None = None
    raw_event_keep_days: float = 30.0

    def __post_init__(self) -> None:
        if self.history_keep_days is not None and not self.history_keep_days >= self.least_days:
            raise ValueError(
                f"HISTORY_KEEP_DAYS must be at least {self.least_days}, because reports about a"
                " message come for weeks. Unset it to keep everything."
            )
        if not (self.max_files_age_in_seconds or 0) >= 0 or not self.raw_event_keep_days >= 0:
            raise ValueError("MAX_FILES_AGE_IN_SECONDS and RAW_EVENT_KEEP_DAYS must be 0 or more.")

    @property
    def clean_every(self) -> float:
        """Seconds between two looks for files that may go: few where they shall go soon."""
        return 5.0 if (self.max_files_age_in_seconds or 0) < 60 else 60.0

    @property
    def clean_window(self) -> float:
        """How far such a look goes back: a run that is late or fails is made up for."""
        return 6 * self.clean_every


class QueueSettings(Settings):
    __config_key__: ClassVar[str | None] = "queue"
    default: str = "redis"
    url: str = "redis://localhost:6379/0"
    prefix: str = "pillarbox:"
    concurrency: int = 100
    retry_after: int = 90


class WorkerSettings(Settings):
    """How workers run that were not told otherwise; 0 of a limit is none."""

    __config_key__: ClassVar[str | None] = "queue.worker"
    queues: str = ""
    scheduler: bool = True
    id: str = ""
    health_check_file: str = ""
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"
    max_jobs: int = 0
    max_time: float = 0.0
    memory: float = 0.0
    rest: float = 0.0
    stop_when_empty: bool = False
    cancel_grace: float | None = None


class TelemetrySettings(Settings):
    __config_key__: ClassVar[str | None] = "telemetry"
    on: bool = False
    service_name: str = "pillarbox"
    exporter: str = "otlp"
    endpoint: str = "http://localhost:4318/v1/traces"
    prometheus: bool = False
    sentry_dsn: str = ""


class MetricsSettings(Settings):
    __config_key__: ClassVar[str | None] = "metrics"
    token: str = ""


class ApiSettings(Settings):
    """``rate_limit``: requests that a token may make in a minute. ``idempotency_keep_hours``: how
    long a repeated request with the same key is answered as the first one was, at least. The
    controllers are classes or their dotted paths; empty means ours."""

    __config_key__: ClassVar[str | None] = "api"
    rate_limit: int = 600
    idempotency_keep_hours: float = 168.0
    send_queue_controller: object = ""
    sent_item_controller: object = ""


class AppSettings(Settings):
    __config_key__: ClassVar[str | None] = "app"
    env: str = "local"
    key: str = ""
    previous_keys: str = ""

    @property
    def production(self) -> bool:
        return self.env == "production"
