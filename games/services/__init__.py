"""What people and the clock do to games: keyword-only verbs, one transaction, the game locked first."""
