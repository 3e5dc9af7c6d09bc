"""Games that travel: files of a game to take along, and games that were played elsewhere."""
