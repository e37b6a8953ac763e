"""Pillarbox in one minute, without an account: everything runs on this machine."""
