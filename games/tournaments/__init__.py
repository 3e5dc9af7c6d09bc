"""Tournaments: games at several tables and in several rounds, with one standing for all of them."""
