"""The mark of what the API says of a view."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InApi:
    """Marks a field of a view, as in `name: Annotated[str, InApi("Its name.")]`.

    The API says it to everyone who may see the view, and its reference says what it is, in this sentence. A field
    without the mark stays inside, whatever else is written about it.
    """

    says: str
