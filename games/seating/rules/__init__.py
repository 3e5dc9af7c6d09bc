"""Who may take, leave, lend and give out seats.

Only services ask whether the game master has blocked somebody, so that no page gives it away.
"""
