"""How a game ends by agreement, and end-of-game statements."""
