"""The application: name, environment and keys."""

from arvel import env

config = {
    "name": env("APP_NAME", "Pillarbox"),
    "description": "The dispatch queue for transactional email and SMS.",
    "version": "0.1.0",
    # Missing counts as not production: nothing then reaches a real receiver.
    "env": env("APP_ENV", "local"),
    "debug": env("APP_DEBUG", False),
    "key": env("APP_KEY", ""),
    "previous_keys": env("APP_PREVIOUS_KEYS", ""),
    "timezone": "UTC",
    "trusted_proxies": [p for p in str(env("TRUSTED_PROXIES", "")).split(",") if p],
    "boot_report": "quiet",
    # Whoever restarts what is not alive, or watches, must not take maintenance for a failure.
    "maintenance_except": ["/livez", "/metrics"],
    # Bytes of any request; routes have limits of their own, which are lower.
    "max_request_size": 64_000_000,
}
