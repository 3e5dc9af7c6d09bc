"""The site: settings, addresses, accounts and the launcher around the game."""
