"""Looks for requests that the API answers wrongly."""
