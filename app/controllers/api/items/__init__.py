"""Queue items and sent items as they are read: lists, one item, and what belongs to it."""

from app.controllers.api.items.operations import OPERATIONS

__all__ = ["OPERATIONS"]
