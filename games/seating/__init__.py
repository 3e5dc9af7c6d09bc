"""Players and their seats: joining a game, the roll call, assigning powers, vacant seats, standby, sitters."""
