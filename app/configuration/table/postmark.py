"""Settings of the channel ``postmark``."""

from app.configuration.kinds import Text
from app.configuration.kinds_of_text import SERVICE_ADDRESS
from app.configuration.setting import Section, Setting

POSTMARK = Section(
    "Email by Postmark: `postmark`",
    "Postmark reports to `https://USER:PASSWORD@…/webhooks/email/postmark`: it signs nothing, so"
    " the password is all that keeps others from reporting.",
    (
        Setting(
            "POSTMARK_SERVER_TOKEN",
            "dispatch.postmark.server_token",
            Text(),
            "The API token of a server. Setting it makes the channel.",
            secret=True,
        ),
        Setting(
            "POSTMARK_MESSAGE_STREAM",
            "dispatch.postmark.message_stream",
            Text(),
            "The ID of the stream to send in.",
            otherwise="the server's default stream for transactional email",
        ),
        Setting(
            "POSTMARK_WEBHOOK_USER",
            "dispatch.postmark.webhook_user",
            Text(),
            "The user name in that address.",
            "pillarbox",
        ),
        Setting(
            "POSTMARK_WEBHOOK_PASSWORD",
            "dispatch.postmark.webhook_password",
            Text(),
            "The password in that address: 32 random bytes, as `openssl rand -hex 32` makes them.",
            otherwise="there is no route for Postmark's reports",
            secret=True,
        ),
        Setting(
            "POSTMARK_PREVIOUS_WEBHOOK_USER",
            "dispatch.postmark.previous_webhook_user",
            Text(),
            "Believed with the previous password.",
            otherwise="`POSTMARK_WEBHOOK_USER`",
        ),
        Setting(
            "POSTMARK_PREVIOUS_WEBHOOK_PASSWORD",
            "dispatch.postmark.previous_webhook_password",
            Text(),
            "Believed while the password is changed.",
            secret=True,
        ),
        Setting(
            "POSTMARK_BASE_URL",
            "dispatch.postmark.base_url",
            SERVICE_ADDRESS,
            "Another address of Postmark's API.",
            otherwise="https://api.postmarkapp.com",
        ),
    ),
)
