"""Sessions of people who use pages: kept where every web process finds them."""

from arvel import env

config = {"driver": env("SESSION_DRIVER", "redis")}
