"""Settings of the application itself."""

from app.configuration.kinds import Choice, Flag, Text
from app.configuration.kinds_of_text import KEY, KEYS, PUBLIC_ADDRESSES, Proxies
from app.configuration.setting import Section, Setting

LEVELS = ("", "debug", "info", "warning", "error", "critical")


def is_level(text: str) -> bool:
    return text.lower() in LEVELS


APPLICATION = Section(
    "The application",
    "Only `APP_ENV=production` reaches real receivers; everything else, and nothing at all, is a"
    " sandbox with exceptions.",
    (
        Setting(
            "APP_ENV",
            "app.env",
            Text(),
            "Where this runs. Only `production` is production.",
            "local",
        ),
        Setting(
            "APP_KEY",
            "app.key",
            KEY,
            "Signs messages on the broker and encrypts cookies. `arvel key:generate` writes one"
            " into `.env`.",
            secret=True,
        ),
        Setting(
            "APP_PREVIOUS_KEYS",
            "app.previous_keys",
            KEYS,
            "Keys that are still believed while `APP_KEY` is changed.",
            secret=True,
        ),
        Setting("APP_NAME", "app.name", Text(), "The name on pages for people.", "Pillarbox"),
        Setting(
            "APP_DEBUG", "app.debug", Flag(), "Errors show their cause. Never in production.", False
        ),
        Setting(
            "PUBLIC_URL",
            "dispatch.public_url",
            PUBLIC_ADDRESSES,
            "Where providers reach us; several during a move.",
            "http://127.0.0.1:8000",
        ),
        Setting(
            "TRUSTED_PROXIES",
            "app.trusted_proxies",
            Proxies(),
            "The proxies whose `X-Forwarded-…` headers are believed.",
            [],
        ),
        Setting(
            "SESSION_DRIVER",
            "session.driver",
            Choice(("redis", "cookie")),
            "Where sessions of the operator console are kept: `redis`, or in the memory of one"
            " process (`cookie`).",
            "redis",
        ),
        Setting(
            "SESSION_SECURE",
            "session.secure",
            Flag(),
            "Cookies of the operator console travel by https alone.",
            otherwise="`true` in production",
        ),
        Setting(
            "STORAGE_PATH",
            "dispatch.storage",
            Text("a folder", bool),
            "Attachments, and outcomes that the database did not take. All processes need the"
            " same folder.",
            "storage",
        ),
        Setting(
            "EMBEDDED_WORKER",
            "dispatch.embedded_worker",
            Flag(),
            "`arvel serve` also works the queue.",
            False,
        ),
        Setting(
            "LOG_LEVEL",
            "",
            Text("debug, info, warning, error or critical", is_level),
            "From which level on log lines are written to stderr.",
            otherwise="`info` in production, else `warning`",
        ),
    ),
)
