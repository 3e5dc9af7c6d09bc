"""Joining games, taking and leaving seats, naming sitters."""
