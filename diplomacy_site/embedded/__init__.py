"""PostgreSQL and Valkey from Python packages, started as our own children: for one machine, never for production."""
