"""News of proposals to end a game."""

from functools import partial

from django.utils.text import capfirst

from games.endings.queries import agreement
from games.endings.rules import words_of_end
from games.kernel import codec
from games.kernel.models import Event, Game
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


def _what(event: Event, game: Game) -> str:
    """The facts are the `kind` of the end, and its `powers`."""
    return words_of_end(event.facts["kind"], event.facts["powers"].split(), codec.variant_of(game))


_of_an_end = partial(News, words={"what": _what})

END_PROPOSED = _of_an_end(
    "end proposed",
    "{power} proposed {what}.",
    letter="end proposed",
    topic=Topic.PROPOSAL,
    notice="There is a proposal to end the game.",
    text=_end_proposed,
)
PROPOSAL_AGREED = _of_an_end("proposal agreed to", "{power} agreed to {what}.")
PROPOSAL_REFUSED = _of_an_end("proposal refused", "{power} refused {what}.")
PROPOSAL_WITHDRAWN = _of_an_end("proposal withdrawn", "{power} withdrew its proposal of {what}.")
PROPOSAL_FELL = _of_an_end(
    "proposal fell away", "The proposal of {what} lapsed because it names a power that is no longer in the game."
)
