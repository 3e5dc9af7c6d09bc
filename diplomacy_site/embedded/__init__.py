"""PostgreSQL and Valkey from Python packages, as child processes of ours: for one machine, not for production."""


class EmbeddedError(Exception):
    """A server or a command cannot continue; the text says why and what to do."""
