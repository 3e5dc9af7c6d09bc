"""News of requests to agree to new terms or an earlier deadline."""

from django.utils.translation import gettext as _

from games.consent.models import Matter
from games.consent.queries import differences
from games.deadlines.news import UNTIL, until
from games.kernel.languages import later
from games.kernel.models import Event, Game
from games.kernel.news import news_beside

UNCHANGED = {Matter.TERMS: later("the terms stay as they are"), Matter.DEADLINE: later("the deadline stays as it is")}


def _changes(event: Event, game: Game) -> str:
    """From the options `before` and those `chosen` instead; players may have until a `moment` to agree."""
    facts = event.facts
    if "before" not in facts:  # a process of version 0.2.0 told what a newer one had asked
        return ""
    told = differences(game.options_as(facts["before"]), game.options_as({**facts["before"], **facts["chosen"]}))
    return (
        _("{told} All have to agree by {until}.").format(told=told, until=until(event, game))
        if "moment" in facts
        else told
    )


def _what(event: Event, _game: Game) -> str:
    return UNCHANGED[Matter(event.facts["matter"])]


_news = news_beside(__file__)
CHANGES, WHAT = {"changes": _changes}, {"what": _what}
TERMS_CHANGED = _news("TERMS_CHANGED", words=CHANGES)
TERMS_ASKED = _news("TERMS_ASKED", words=CHANGES)
TERMS_AGREED = _news("TERMS_AGREED", words=CHANGES)
EARLIER_ASKED = _news("EARLIER_ASKED", words=UNTIL)
EARLIER_AGREED = _news("EARLIER_AGREED", words=UNTIL)
REFUSED = _news("REFUSED", words=WHAT)
WITHDRAWN = _news("WITHDRAWN", words=WHAT)
