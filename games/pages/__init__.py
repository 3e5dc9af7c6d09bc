"""The pages that several subjects contribute to: the home page, the lists of games, one game."""
