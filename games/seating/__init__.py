"""Who plays: joining a game, the roll call, dealing, vacant seats, standby, sitters."""
