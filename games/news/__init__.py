"""Telling users and the world: the log in words, emails, notifications, push, feeds, webhooks."""
