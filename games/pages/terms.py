"""The terms of a game: what was chosen for it, and what holds in every game like it."""

from collections.abc import Iterable, Iterator

from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.game_options import GameOptions
from games.kernel.models import Game
from games.kernel.parts import Term, TermGroup
from games.press.options import Press, Talk
from games.sealed.options import Looks, Previews
from games.seating.options import Dealing, Seats

PLAYED, RIGHTS, PUBLIC = "What is played", "What the game master can do", "What is public, and when"


def choices_of(access: GameAccess) -> tuple[str, GameOptions]:
    """The name of a game, and what was chosen when it was created: all of it stands in its terms."""
    game = Game.objects.get(pk=access.game_id)
    return game.name, game.options


def terms_view(access: GameAccess) -> tuple[TermGroup, ...]:
    """Everything one agrees to by joining, in words and by group."""
    game = Game.objects.get(pk=access.game_id)
    variant, options = codec.variant_of(game), game.options
    played = Term(PLAYED, variant.title, f"{variant.summary} For {variant.players} players.")
    return grouped((played, *options.terms(), *_house_rules(options)))


def grouped(terms: Iterable[Term]) -> tuple[TermGroup, ...]:
    """The terms under the titles of their groups, in the order in which the groups come first."""
    groups: dict[str, list[Term]] = {}
    for term in terms:
        groups.setdefault(term.group, []).append(term)
    return tuple(TermGroup(title, tuple(members)) for title, members in groups.items())


def _house_rules(options: GameOptions) -> Iterator[Term]:
    """What nobody chose: the game master's rights, and what is public."""
    yield from (Term(RIGHTS, title, sentence) for title, sentence in GM_RIGHTS)
    yield Term(RIGHTS, "Never", _never_seen(options))
    yield Term(PUBLIC, "Orders", "Secret until the phase ends. Then everybody sees all orders and what came of them.")
    if options[Looks].bids:
        yield Term(PUBLIC, "Bids", BIDS)
    yield Term(PUBLIC, "Silence", "Who had something to decide and saved nothing is named when the phase has ended.")
    yield Term(
        PUBLIC,
        "Sitters",
        "A player who is away may name a sitter, who has no part in the game and writes the orders meanwhile. "
        "The log says that a player has one, not who, nor for whom.",
    )
    if options[Talk].press == Press.FULL:
        yield Term(
            PUBLIC,
            "Letters",
            "Private messages are for the powers they went to. Nobody else learns of them, the game master neither.",
        )
    if options[Dealing].seats == Seats.PREFERENCES:
        yield Term(
            PUBLIC,
            "Wish lists",
            "Nobody but you sees your list of powers. It is deleted when the powers have been dealt.",
        )


GM_RIGHTS = (
    ("Clock", "Start the game, give more time, stop the clock and let it run again."),
    ("Seats", "Put somebody else into a seat, take a player out, or declare a power to be in civil disorder for good."),
    ("Mistakes", "Go back to an earlier phase, or put an order or the position right, always with a reason."),
    ("The end", "Close the game, which is a draw among all who have a unit, or hand it over to another game master."),
    ("The log", "Each of these acts stands in the public log, with its time, for everybody to see."),
)


def _never_seen(options: GameOptions) -> str:
    if options[Previews].allowed:
        return "Read the private messages of the players."
    return "See what anybody has written for a phase that is open, or read the private messages of the players."


BIDS = (
    "Everyone sees which order each minor power followed. If a phase is played again, its bids count again, and "
    "comparing the two results may reveal something about them."
)
