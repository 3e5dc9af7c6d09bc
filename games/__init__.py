"""Hosted games: their tables, their services, and what each viewer may see of them."""
