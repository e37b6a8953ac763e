"""A Postmark server as tests use it."""
