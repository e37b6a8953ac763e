"""Metrics for Prometheus, of the web process at /metrics and of workers on a port of their own."""

from arvel import env

config = {
    # Whoever brings it may read them; unset, only this machine may.
    "token": env("METRICS_TOKEN", ""),
}
