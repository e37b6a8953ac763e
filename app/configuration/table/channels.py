"""Settings that say through which account a message goes, and who may be reached."""

from app.configuration.kinds import Number, Text
from app.configuration.kinds_of_text import Allowances
from app.configuration.setting import Section, Setting

CHANNELS = Section(
    "Channels",
    "A channel is one account at a provider. It exists once its first setting is set.",
    (
        Setting(
            "EMAIL_CHANNEL",
            "dispatch.email",
            Text("the name of an email channel", bool),
            "The channel that new email takes.",
            otherwise="the first one below that is configured, else `sandbox`",
        ),
        Setting(
            "SMS_CHANNEL",
            "dispatch.sms",
            Text("the name of an SMS channel", bool),
            "The channel that new SMS take.",
            otherwise="`twilio` if `TWILIO_ACCOUNT_SID` is set, else `sandbox`",
        ),
        Setting(
            "DISPATCH_ALLOW_REAL",
            "dispatch.allow_real",
            Allowances(),
            "The only real receivers that are reached outside production; all others get their"
            " messages in the sandbox.",
        ),
    ),
)

SANDBOX = Section(
    "The sandbox",
    "Plays every outcome without an account, outside production only.",
    (
        Setting(
            "SANDBOX_WEBHOOK_SECRET",
            "dispatch.sandbox.webhook_secret",
            Text(),
            "Signs the sandbox's reports.",
            otherwise="derived from `APP_KEY`",
            secret=True,
        ),
        Setting(
            "SANDBOX_REPORT_DELAY",
            "dispatch.sandbox.report_delay",
            Number("seconds", 86_400, least=0),
            "From acceptance to the first report, and from one report to the next.",
            1.0,
        ),
    ),
)
