"""A SparkPost account, for tests."""
