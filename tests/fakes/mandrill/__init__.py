"""A Mandrill account, for tests."""
