"""News of proposals to end a game."""

from django.utils.text import capfirst

from games.endings.queries import agreement
from games.kernel.news import News, Text, Topic
from games.kernel.page import Page


def _end_proposed(view: Page, _time_zone: str) -> Text:
    open_now = agreement(view)
    proposals = open_now.proposals if open_now else ()
    called = {power.id: capfirst(power.called) for power in view.rows.variant.powers}
    titles = [
        f"{called[proposal.proposer.id]} proposes {proposal.title[0].lower()}{proposal.title[1:]}."
        for proposal in proposals
    ]
    ask = "The game ends if every player with a vote agrees. Open the game to vote."
    return "a proposal to end the game", [*titles, ask] if titles else ["The proposal is no longer open."]


END_PROPOSED = News(
    "end proposed",
    "{power} proposed {what}.",
    letter="end proposed",
    topic=Topic.PROPOSAL,
    notice="There is a proposal to end the game.",
    text=_end_proposed,
)
PROPOSAL_AGREED = News("proposal agreed to", "{power} agreed to {what}.")
PROPOSAL_REFUSED = News("proposal refused", "{power} refused {what}.")
PROPOSAL_WITHDRAWN = News("proposal withdrawn", "{power} withdrew its proposal of {what}.")
PROPOSAL_FELL = News(
    "proposal fell away", "The proposal of {what} lapsed because it names a power that is no longer in the game."
)
