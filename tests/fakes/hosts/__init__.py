"""Hosts of their own on this machine: network namespaces behind one switch."""
