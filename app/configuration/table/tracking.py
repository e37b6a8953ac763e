"""Settings of how reports find their message."""

from app.configuration.kinds import Flag
from app.configuration.kinds_of_tracking import Strategy
from app.configuration.setting import Section, Setting

TRACKING = Section(
    "Tracking email",
    "A message carries our keys, so that a report finds it although the provider's id is not known"
    " yet. Whether that id fits is checked in any case.",
    (
        Setting(
            "EMAIL_TRACKING_STRATEGY",
            "dispatch.email_tracking_strategy",
            Strategy(),
            "How emails carry the keys: a class as a dotted path."
            " `app.transports.email.tracking.EmailTrackingStrategy` attaches nothing.",
            otherwise="`app.transports.email.tracking.MetadataEmailTrackingStrategy`",
        ),
        Setting(
            "EMAIL_IGNORE_UNSUPPORTED",
            "dispatch.email_ignore_unsupported",
            Flag(),
            "Logs nothing when a provider takes a message only without metadata.",
            False,
        ),
    ),
)
