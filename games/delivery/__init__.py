"""Delivering what was told: emails, devices, the list on the site, feeds and webhooks, as users choose."""
