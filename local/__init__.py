"""PostgreSQL and Valkey on this machine, for development, the demonstration and the tests."""

from local.seed import Seed
from local.services import Services, services

__all__ = ["Seed", "Services", "services"]
