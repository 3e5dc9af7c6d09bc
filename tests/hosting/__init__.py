"""`./host`, proved against the processes that the compose files name."""
