"""How a game ends by agreement, and what is said when it is over."""
