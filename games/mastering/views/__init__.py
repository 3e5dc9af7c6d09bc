"""The game master's pages."""
