"""Logs go to stderr: standard output belongs to what a command was asked for."""

import logging
import os
import sys

import structlog


def send_to_stderr() -> None:
    """Every log line from ``LOG_LEVEL`` on (``warning``; in production ``info``)."""
    usual = "info" if os.environ.get("APP_ENV") == "production" else "warning"
    name = os.environ.get("LOG_LEVEL", usual).upper()
    level = logging.getLevelNamesMapping().get(name, logging.INFO)
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
