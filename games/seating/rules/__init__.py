"""Rules about seats: taking, leaving, lending and assigning them.

Only services ask whether the game master has blocked someone, so that no page reveals it.
"""
