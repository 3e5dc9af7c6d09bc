"""Profiles, tokens, exports, moderation."""
