"""A Unisender Go account, for tests."""
