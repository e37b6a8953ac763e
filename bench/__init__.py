"""Measures Pillarbox on this machine, on servers and data of its own that are thrown away."""
