"""Unisender Go, as a transport and as whoever posts to the webhook."""
