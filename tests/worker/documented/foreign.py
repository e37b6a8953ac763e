"""Jobs of a package outside the application, where the database keeps none."""

from tests.worker.documented.jobs import Escalating, Final


class Retried(Escalating):
    pass


class Tried(Final):
    pass
