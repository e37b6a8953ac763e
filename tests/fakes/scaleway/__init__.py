"""A Scaleway project, for tests."""
