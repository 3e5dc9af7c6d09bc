"""A request to agree to something, as one viewer sees it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class AskingView:
    """What a game master asks for, in words; `agreed` of the `wanted` players have agreed, the viewer if `i_agreed`."""

    number: int
    is_about_terms: bool
    told: str
    until: datetime
    agreed: int
    wanted: int
    i_agreed: bool
    may_answer: bool
    may_withdraw: bool
