"""Who may sit where.

Whether the game master has blocked somebody is asked by services alone, so that no page tells it.
"""
