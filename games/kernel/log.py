"""The reasons that people give for what they do, as everybody reads them in the public log."""

from games.kernel.refusals import BadReason

LONGEST_REASON = 300


def reason_of(text: str, *, needed: bool) -> str:
    """A reason as one line for the log; BadReason if it is too long, or missing where it is `needed`."""
    words = " ".join(text.replace("\0", "").split())
    if needed and not words:
        raise BadReason("Nothing was changed. Write why: everybody reads the reason in the public log.")
    if len(words) > LONGEST_REASON:
        raise BadReason(
            f"Nothing was changed: the reason has {len(words)} characters, and it may have {LONGEST_REASON}."
        )
    return words
