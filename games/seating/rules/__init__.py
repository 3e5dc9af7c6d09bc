"""Rules about seats: taking, leaving, lending them and giving them out.

Only services ask whether the game master has blocked somebody, so that no page gives it away.
"""
