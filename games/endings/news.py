"""News of proposals to end a game."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.endings.models import EndKind
from games.endings.queries import agreement
from games.kernel import codec
from games.kernel.languages import later
from games.kernel.models import Event, Game
from games.kernel.news import News, Text, declares_news_of
from games.kernel.page import Page
from variants.survivors import listed_powers


def _text_about_proposals(view: Page, _time_zone: str) -> Text:
    agreement_now = agreement(view)
    proposals = agreement_now.proposals if agreement_now else ()
    variant, lines = view.rows.variant, []
    for proposal in proposals:
        message = (
            _("{power} proposes a draw between {powers}.")
            if proposal.kind == EndKind.DRAW
            else _("{power} proposes a concession to {powers}.")
        )
        power, powers = variant.power(proposal.proposer.id).called, [card.id for card in proposal.powers]
        lines.append(capfirst(message.format(power=power, powers=listed_powers(powers, variant))))
    how_it_ends = _("The game ends if every player with a vote agrees. Open the game to vote.")
    return _("a proposal to end the game"), [*lines, how_it_ends] if lines else [_("The proposal is no longer open.")]


_news = declares_news_of(__file__)


def _news_of_proposal(name: str, draw: str, concession: str, **facts: Any) -> News:
    """Declare news with different lines for a draw and a concession. Events of version 0.2.0 keep its line."""

    def line_of(event: Event, _game: Game) -> str:
        if event.facts.get("what"):
            return news.line
        return draw if event.facts["kind"] == EndKind.DRAW else concession

    def powers(event: Event, in_game: Game) -> str:
        return listed_powers(event.facts["powers"].split(), codec.variant_of(in_game))

    news: News = _news(name, line_of=line_of, words={"named": powers}, **facts)
    return news


END_PROPOSED = _news_of_proposal(
    "END_PROPOSED",
    later("{power} proposed a draw between {named}."),
    later("{power} proposed a concession to {named}."),
    text=_text_about_proposals,
)
PROPOSAL_AGREED = _news_of_proposal(
    "PROPOSAL_AGREED",
    later("{power} agreed to a draw between {named}."),
    later("{power} agreed to a concession to {named}."),
)
PROPOSAL_REFUSED = _news_of_proposal(
    "PROPOSAL_REFUSED",
    later("{power} refused a draw between {named}."),
    later("{power} refused a concession to {named}."),
)
PROPOSAL_WITHDRAWN = _news_of_proposal(
    "PROPOSAL_WITHDRAWN",
    later("{power} withdrew its proposal of a draw between {named}."),
    later("{power} withdrew its proposal of a concession to {named}."),
)
PROPOSAL_FELL = _news_of_proposal(
    "PROPOSAL_FELL",
    later("The proposal of a draw between {named} lapsed because it names a power that is no longer in the game."),
    later("The proposal of a concession to {named} lapsed because it names a power that is no longer in the game."),
)
