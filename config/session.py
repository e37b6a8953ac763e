"""Sessions of people who use pages: kept where every web process finds them."""

from arvel import env

config = {
    "driver": env("SESSION_DRIVER", "redis"),
    # Minutes after which a person signs in again, whatever they did meanwhile.
    "lifetime": 12 * 60,
    # Whether cookies travel by https alone.
    "secure": env("SESSION_SECURE", env("APP_ENV") == "production"),
}
