"""News of proposals to end a game."""

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.endings.queries import agreement
from games.endings.rules import words_of_end
from games.kernel import codec
from games.kernel.models import Event, Game
from games.kernel.news import Text, news_beside
from games.kernel.page import Page


def _end_proposed(view: Page, _time_zone: str) -> Text:
    open_now = agreement(view)
    proposals = open_now.proposals if open_now else ()
    called = {power.id: capfirst(power.called) for power in view.rows.variant.powers}
    titles = [
        f"{called[proposal.proposer.id]} proposes {proposal.title[0].lower()}{proposal.title[1:]}."
        for proposal in proposals
    ]
    ask = _("The game ends if every player with a vote agrees. Open the game to vote.")
    return _("a proposal to end the game"), [*titles, ask] if titles else [_("The proposal is no longer open.")]


def _what(event: Event, game: Game) -> str:
    """The facts are the `kind` of the end, and its `powers`."""
    return words_of_end(event.facts["kind"], event.facts["powers"].split(), codec.variant_of(game))


_news, WHAT = news_beside(__file__), {"what": _what}

END_PROPOSED = _news("END_PROPOSED", words=WHAT, text=_end_proposed)
PROPOSAL_AGREED = _news("PROPOSAL_AGREED", words=WHAT)
PROPOSAL_REFUSED = _news("PROPOSAL_REFUSED", words=WHAT)
PROPOSAL_WITHDRAWN = _news("PROPOSAL_WITHDRAWN", words=WHAT)
PROPOSAL_FELL = _news("PROPOSAL_FELL", words=WHAT)
