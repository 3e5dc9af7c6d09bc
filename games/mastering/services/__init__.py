"""The game master's actions."""
