"""A mail server of a Postal installation, for tests."""
