"""PostgreSQL and Valkey from Python packages, as our own children: for one machine, not for production."""
