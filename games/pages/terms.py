"""The terms of a game: the options chosen for it, and the rules of every game like it."""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.utils.translation import gettext as _

from games.kernel import codec
from games.kernel.game_options import GameOptions, Heading
from games.kernel.languages import later
from games.kernel.page import Page, part
from games.kernel.parts import Term, TermGroup
from games.kernel.queries import brought_row_of
from games.mastering.queries import assistants
from games.press.options import Press, Talk
from games.sealed.options import EnteredOrders, Previews, SeeingBids
from games.seating.options import Dealing, SeatAssignment
from variants.words.messages import worded
from variants.words.orders import turn_words

PRACTICE_HEADINGS = frozenset({Heading.WHEN, Heading.BIDS, Heading.ENDING})
"""What else there is to agree on concerns several people."""
AGAINST_BOTS = Term(
    Heading.VARIANT,
    later("Against bots"),
    later("Bots play all other powers. Only you can see this game, and it counts for nothing."),
)
HOUSE_RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@part("terms")
def terms_of(page: Page) -> tuple[TermGroup, ...]:
    """Everything a player agrees to by joining, in words and by group."""
    game = page.rows.game
    variant, options = codec.variant_of(game), game.options
    title = _("{variant} ({count} players)").format(variant=variant.title, count=variant.players)
    variant_term = Term(Heading.VARIANT, title, worded(variant.summary))
    if game.practice:
        practice_terms = (
            term for term in options.terms() if term.group in PRACTICE_HEADINGS and term.title != SeeingBids.title
        )
        return by_heading((variant_term, AGAINST_BOTS, *practice_terms))
    now_assisting = assistants(page)
    names = "; ".join(f"{assistant.name} ({assistant.rights})" for assistant in now_assisting)
    assistant_terms = [Term(Heading.RIGHTS, _("The assistants now"), f"{names}.")] if now_assisting else []
    start_row = brought_row_of(game)
    turn = turn_words(codec.opening_position(start_row, variant).turn)
    goes_on = _("The game goes on in {turn}, in a position that the game master entered.").format(turn=turn)
    begun_elsewhere = [Term(Heading.VARIANT, _("Begun elsewhere"), goes_on)] if start_row else []
    return by_heading((variant_term, *begun_elsewhere, *options.terms(), *_house_rules(options), *assistant_terms))


def by_heading(terms: Iterable[Term]) -> tuple[TermGroup, ...]:
    """The terms under the titles of their groups, in the order in which the groups first appear."""
    groups: dict[str, list[Term]] = {}
    for term in terms:
        groups.setdefault(term.group, []).append(term)
    return tuple(
        TermGroup(str(Heading(title).label), tuple(terms_of_heading)) for title, terms_of_heading in groups.items()
    )


def _house_rules(options: GameOptions) -> Iterator[Term]:
    """The terms that aren't options: the game master's rights, and what is public."""
    for rule in HOUSE_RULES["rights"]:
        yield Term(Heading.RIGHTS, _(rule["title"]), _(rule["sentence"]).format(ending=Heading.ENDING.label))
    never_seen = _(
        "They can’t see what a player has saved for the current phase. They can’t read the players’ private messages."
    )
    if options[Previews].allowed:
        never_seen = _("They can’t read the players’ private messages.")
    elif options[EnteredOrders].allowed:
        never_seen = _(
            "They can’t see what a player has saved for the current phase unless that player agrees. They can’t read "
            "the players’ private messages."
        )
    yield Term(Heading.RIGHTS, _("Limits"), never_seen)
    for rule in HOUSE_RULES["public"]:
        title = rule["title"]
        concerns_others = (
            (title == "Bids" and not options[SeeingBids].bids)
            or (title == "Private messages" and options[Talk].press != Press.FULL)
            or (title == "Preferences" and options[Dealing].seats != SeatAssignment.PREFERENCES)
        )
        if not concerns_others:
            yield Term(Heading.PUBLIC, _(title), _(rule["sentence"]))
