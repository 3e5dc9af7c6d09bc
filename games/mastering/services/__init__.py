"""What a game master does."""
