"""News of requests to agree to new terms or an earlier deadline."""

from games.consent.models import Matter
from games.consent.queries import differences
from games.deadlines.news import UNTIL, of_the_clock, until
from games.kernel.models import Event, Game
from games.kernel.news import News, Topic

UNCHANGED = {Matter.TERMS: "the terms stay as they are", Matter.DEADLINE: "the deadline stays as it is"}


def _changes(event: Event, game: Game) -> str:
    """From the options `before` and those `chosen` instead; players may have until a `moment` to agree."""
    facts = event.facts
    if "before" not in facts:  # a process of version 0.2.0 told what a newer one had asked
        return ""
    told = differences(game.options_as(facts["before"]), game.options_as({**facts["before"], **facts["chosen"]}))
    return f"{told} All have to agree by {until(event, game)}." if "moment" in facts else told


def _what(event: Event, _game: Game) -> str:
    return UNCHANGED[Matter(event.facts["matter"])]


CHANGES, WHAT = {"changes": _changes}, {"what": _what}
TERMS_CHANGED = News("terms changed", "{who} changed the terms: {changes}", words=CHANGES)
TERMS_ASKED = News(
    "terms asked",
    "{who} asked all players to agree to new terms: {changes}",
    words=CHANGES,
    letter="terms asked",
    topic=Topic.PROPOSAL,
    notice="The game master asks you to agree to new terms.",
    subject="do you agree to new terms?",
    sentences=(
        "The game master, {game.gm_name}, asks all players to agree to new terms.",
        "They apply only if everyone agrees. Open the game to see what would change, and to answer.",
    ),
    leads_to="games:consent",
)
TERMS_AGREED = News(
    "terms agreed",
    "Everyone agreed to new terms: {changes}",
    words=CHANGES,
    letter="terms agreed",
    topic=Topic.PROPOSAL,
    notice="Everyone agreed to the new terms.",
    subject="the terms have changed",
    sentences=("Everyone agreed to the new terms. The public log says what has changed.",),
    leads_to="games:terms",
)
EARLIER_ASKED = News(
    "earlier asked",
    "{who} asked all players with orders to enter to agree to an earlier deadline for {turn}: {until}.",
    words=UNTIL,
    letter="earlier asked",
    topic=Topic.PROPOSAL,
    notice="The game master asks you to agree to an earlier deadline.",
    subject="do you agree to an earlier deadline?",
    sentences=(
        "The game master, {game.gm_name}, asks for an earlier deadline.",
        "It moves only if all players with orders to enter agree. Open the game to answer.",
    ),
    leads_to="games:consent",
)
EARLIER_AGREED = of_the_clock("earlier agreed", "All agreed: the deadline for {turn} is now {until}.", words=UNTIL)
REFUSED = News(
    "consent refused",
    "Not everyone agreed, so {what}.",
    words=WHAT,
    letter="consent refused",
    topic=Topic.MASTER,
    notice="Not everyone agreed to what you asked for.",
    subject="not everyone agreed",
    sentences=("A player doesn’t agree to what you asked for, so nothing changes.",),
    leads_to="games:gm",
)
WITHDRAWN = News("consent withdrawn", "{who} withdrew the request, so {what}.", words=WHAT)
