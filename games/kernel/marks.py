"""The mark for what the API tells."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InApi:
    """Marks a field of a view, as in `name: Annotated[str, InApi("Its name.")]`, with the sentence for the API's
    reference. The API tells the field to everyone who may see the view. It never tells fields without the mark."""

    says: str
