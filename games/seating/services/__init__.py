"""Verbs: who joins, sits, leaves."""
