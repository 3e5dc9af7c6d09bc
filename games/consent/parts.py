"""A request to agree to something, as one viewer sees it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from games.kernel.marks import InApi


@dataclass(frozen=True, slots=True)
class AskingView:
    """A request of the game master to agree to something."""

    number: Annotated[int, InApi("Names it in addresses.")]
    is_about_terms: Annotated[bool, InApi("True for new terms, false for an earlier deadline.")]
    told: Annotated[str, InApi("What would change, in words.")]
    until: Annotated[datetime, InApi("Answers count before this moment.")]
    agreed: Annotated[int, InApi("How many players have agreed.")]
    wanted: Annotated[int, InApi("How many must agree.")]
    i_agreed: Annotated[bool, InApi("You have agreed.")]
    may_answer: Annotated[bool, InApi("You may agree or refuse now.")]
    may_withdraw: Annotated[bool, InApi("You asked for it, and may withdraw it.")]
