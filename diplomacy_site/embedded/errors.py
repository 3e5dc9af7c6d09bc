"""What can go wrong on one machine, told in one sentence."""


class EmbeddedError(Exception):
    """A server or a command cannot go on; the text says why and what to do."""
