"""The ASGI application: ``arvel serve``, or any ASGI server with ``asgi:asgi_app``."""

from bootstrap.app import create_app

asgi_app = create_app().as_asgi()
