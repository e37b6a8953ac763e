"""Sends while everything fails, and then asks whether each item tells the truth.

The providers are those of ``tests/fakes``, on real sockets, with moods of their own.
"""
