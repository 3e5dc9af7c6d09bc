"""Hosted games: their rows, their services, and what each viewer may see of them."""
