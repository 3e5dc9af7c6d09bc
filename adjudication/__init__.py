"""Diplomacy as a pure function: positions and orders in, resolutions out. No clock and no randomness."""
