"""The ASGI application: ``arvel serve``, or any ASGI server with ``asgi:asgi_app``."""

import sys

from app.providers.configuration import ConfigurationRefused
from bootstrap.app import create_app

try:
    asgi_app = create_app().as_asgi()
except ConfigurationRefused as refusal:
    sys.exit(f"Error: {refusal}")
