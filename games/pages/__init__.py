"""The pages that many subjects fill: the home page, the lists of games, one game."""
