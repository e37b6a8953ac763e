"""Email transports, one small family of files a provider, and the building of messages."""
