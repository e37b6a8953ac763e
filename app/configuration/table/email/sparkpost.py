"""Settings of the channel ``sparkpost``."""

from app.configuration.setting import Section
from app.configuration.table.email.rows import common, flag, secret, text
from app.transports.email.sparkpost.config import SparkpostConfig

SPARKPOST = Section(
    "Email by SparkPost (Bird): `sparkpost`",
    "SparkPost reports to `https://USER:PASSWORD@…/webhooks/email/sparkpost`: it signs nothing, so"
    " the password is all that keeps others from reporting. An account in Europe is at"
    " `https://api.eu.sparkpost.com/api/v1`.",
    (
        secret("sparkpost", "SPARKPOST_API_KEY", "An API key. Setting it makes the channel."),
        text(
            "sparkpost",
            "SPARKPOST_SUBACCOUNT",
            "The number of the subaccount to send by.",
            "the account itself",
        ),
        flag(
            "sparkpost",
            "SPARKPOST_SANDBOX",
            "SparkPost sends from its sandbox domain, and very few messages.",
        ),
        *common("sparkpost", SparkpostConfig),
    ),
)
