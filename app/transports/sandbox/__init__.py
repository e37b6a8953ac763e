"""A provider without an account: magic receivers play every outcome."""
