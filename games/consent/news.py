"""News of requests to agree to new terms or an earlier deadline."""

from collections.abc import Mapping
from functools import partial

from django.utils.translation import gettext as _

from games.consent.models import Matter
from games.consent.queries import differences_in_terms
from games.deadlines.news import UNTIL_IN_WORDS, until_in_words
from games.kernel.languages import later
from games.kernel.models import Event, Game
from games.kernel.news import declares_news_of

NOT_ALL_AGREED = {
    Matter.TERMS: later("Not everyone agreed, so the terms stay as they are."),
    Matter.DEADLINE: later("Not everyone agreed, so the deadline stays as it is."),
}
REQUEST_WITHDRAWN = {
    Matter.TERMS: later("{who} withdrew the request, so the terms stay as they are."),
    Matter.DEADLINE: later("{who} withdrew the request, so the deadline stays as it is."),
}


def _words_of_changed_terms(event: Event, game: Game) -> str:
    """What changes from the options `before` to those `chosen`, and until which `moment` players may agree."""
    facts = event.facts
    if "before" not in facts:  # a process of version 0.2.0 told what a newer one had asked
        return ""
    changes = differences_in_terms(
        game.options_as(facts["before"]), game.options_as({**facts["before"], **facts["chosen"]})
    )
    if "moment" not in facts:
        return changes
    return _("{told} All have to agree by {until}.").format(told=changes, until=until_in_words(event, game))


def _line_about_matter(lines: Mapping[Matter, str], event: Event, _game: Game) -> str:
    """The line for the matter. Events of version 0.2.0 name it only indirectly."""
    facts = event.facts
    return lines[Matter(facts.get("matter") or ("terms" if "terms" in facts.get("what", "") else "deadline"))]


_news = declares_news_of(__file__)
CHANGES = {"changes": _words_of_changed_terms}
TERMS_CHANGED = _news("TERMS_CHANGED", words=CHANGES)
HOLIDAY = _news("HOLIDAY", words=CHANGES)
TERMS_ASKED = _news("TERMS_ASKED", words=CHANGES)
TERMS_AGREED = _news("TERMS_AGREED", words=CHANGES)
EARLIER_ASKED = _news("EARLIER_ASKED", words=UNTIL_IN_WORDS)
EARLIER_AGREED = _news("EARLIER_AGREED", words=UNTIL_IN_WORDS)
REFUSED = _news("REFUSED", line_of=partial(_line_about_matter, NOT_ALL_AGREED))
WITHDRAWN = _news("WITHDRAWN", line_of=partial(_line_about_matter, REQUEST_WITHDRAWN))
