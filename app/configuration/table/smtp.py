"""Settings of the channel ``smtp``."""

from app.configuration.kinds import Choice, Text, Whole
from app.configuration.kinds_of_text import CERTIFICATES, HOST_NAME
from app.configuration.setting import Section, Setting

SMTP = Section(
    "Email by a mail server: `smtp`",
    "It has no reports: acceptance by the mail server counts as delivery, and says so.",
    (
        Setting(
            "SMTP_HOST",
            "dispatch.smtp.host",
            HOST_NAME,
            "The mail server. Setting it makes the channel.",
        ),
        Setting(
            "SMTP_PORT",
            "dispatch.smtp.port",
            Whole(1, 65_535),
            "Usually 587, or 465 with `implicit`.",
            587,
        ),
        Setting(
            "SMTP_TLS",
            "dispatch.smtp.tls",
            Choice(("starttls", "implicit", "none")),
            "`starttls` is required, not merely tried; `none` sends in clear and without password.",
            "starttls",
        ),
        Setting("SMTP_USERNAME", "dispatch.smtp.username", Text(), "The account."),
        Setting("SMTP_PASSWORD", "dispatch.smtp.password", Text(), "Its password.", secret=True),
        Setting(
            "SMTP_CA_FILE",
            "dispatch.smtp.ca_file",
            CERTIFICATES,
            "The only authorities to trust, in PEM.",
            otherwise="those of the system",
        ),
        Setting(
            "SMTP_HELO",
            "dispatch.smtp.helo",
            HOST_NAME,
            "What we call ourselves in EHLO.",
            otherwise="`MESSAGE_ID_DOMAIN`",
        ),
        Setting(
            "SMTP_POOL_SIZE",
            "dispatch.smtp.pool_size",
            Whole(1, 1000),
            "Connections of one worker.",
            10,
        ),
        Setting(
            "MESSAGE_ID_DOMAIN",
            "dispatch.smtp.message_id_domain",
            HOST_NAME,
            "A domain of yours: the right side of Message-ID. Needed.",
        ),
    ),
)
