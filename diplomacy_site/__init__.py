"""The site: settings, addresses, accounts and the launcher around the game."""

__version__ = "0.3.0"
"""The version of this code, unless something states more exactly what was built."""
