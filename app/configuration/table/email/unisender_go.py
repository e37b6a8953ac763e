"""Settings of the channel ``unisender_go``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, secret
from app.transports.email.unisender_go.config import UnisenderGoConfig

UNISENDER_GO = Section(
    "Email by Unisender Go: `unisender_go`",
    "Unisender Go reports to `https://…/webhooks/email/unisender_go`, and signs what it reports by"
    " the API key, with MD5; set a password as well. An account of the second data centre is at"
    " `https://go2.unisender.ru/ru/transactional/api/v1`.",
    (
        secret(
            "unisender_go",
            "UNISENDER_GO_API_KEY",
            "The API key of the account, or of a project. Setting it makes the channel.",
        ),
        secret(
            "unisender_go",
            "UNISENDER_GO_WEBHOOK_KEY",
            "The API key that signs reports: a project's for its own webhooks.",
            "`UNISENDER_GO_API_KEY`",
        ),
        secret(
            "unisender_go",
            "UNISENDER_GO_PREVIOUS_API_KEY",
            "Signatures by it are believed while the key is changed.",
        ),
        *common("unisender_go", UnisenderGoConfig),
    ),
)
