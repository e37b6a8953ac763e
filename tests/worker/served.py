"""What a server serves when it is asked for ``tests.worker.served:asgi_app``."""

from tests.worker.application import create_app

asgi_app = create_app().as_asgi()
