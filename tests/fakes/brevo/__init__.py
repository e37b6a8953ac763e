"""A Brevo account, for tests."""
