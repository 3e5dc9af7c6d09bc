"""What people send, read and checked: a new game, a game master's numbers and names, a sheet, a profile."""
