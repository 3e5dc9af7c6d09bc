"""What can go wrong on one machine, in one sentence."""


class EmbeddedError(Exception):
    """A server or a command cannot continue; the text says why and what to do."""
