"""The operator's console, under ``/console``: pages for people, rendered here.

It is a client of the API: what a page shows or does, it asks of the API's operations, as whoever is
signed in. So it holds no rule about messages, permissions or masking of its own.
"""
