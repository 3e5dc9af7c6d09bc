"""The terms of a game: the options chosen for it, and the rules of every game like it."""

from collections.abc import Iterable, Iterator

from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.game_options import GameOptions, Heading
from games.kernel.models import Game
from games.kernel.page import Page, part
from games.kernel.parts import Term, TermGroup
from games.kernel.queries import brought_to
from games.mastering.queries import assistants
from games.press.options import Press, Talk
from games.sealed.options import EnteredOrders, Looks, Previews
from games.seating.options import Dealing, Seats

OF_PRACTICE = frozenset({Heading.WHEN, Heading.BIDS, Heading.ENDING})
"""What else there is to agree on concerns several people."""
PLAYED, RIGHTS, PUBLIC = "Variant", "What the game master can and can’t do", "What is public, and when"

ALONE = Term(
    PLAYED, "Against bots", "Bots play all other powers. Only you can see this game, and it counts for nothing."
)


def choices_of(access: GameAccess) -> tuple[str, GameOptions]:
    """The name of a game and the options chosen when it was created, all of which its terms tell."""
    game = Game.objects.get(pk=access.game_id)
    return game.name, game.options


@part("terms")
def terms_of(page: Page) -> tuple[TermGroup, ...]:
    """Everything a player agrees to by joining, in words and by group."""
    game = page.rows.game
    variant, options = codec.variant_of(game), game.options
    played = Term(PLAYED, f"{variant.title} ({variant.players} players)", variant.summary)
    if game.practice:
        own = (term for term in options.terms() if term.group in OF_PRACTICE and term.title != Looks.title)
        return grouped((played, ALONE, *own))
    helping = assistants(page)
    names = "; ".join(f"{one.name} ({one.rights})" for one in helping)
    named = [Term(RIGHTS, "The assistants now", f"{names}.")] if helping else []
    brought = brought_to(game)
    turn = codec.opening_of(brought, variant).turn.title
    goes_on = f"The game goes on in {turn}, in a position that the game master entered."
    begun = [Term(PLAYED, "Begun elsewhere", goes_on)] if brought else []
    return grouped((played, *begun, *options.terms(), *_house_rules(options), *named))


def grouped(terms: Iterable[Term]) -> tuple[TermGroup, ...]:
    """The terms under the titles of their groups, in the order in which the groups first appear."""
    groups: dict[str, list[Term]] = {}
    for term in terms:
        groups.setdefault(term.group, []).append(term)
    return tuple(TermGroup(title, tuple(members)) for title, members in groups.items())


def _house_rules(options: GameOptions) -> Iterator[Term]:
    """What isn't an option: the game master's rights, and what is public."""
    yield from (Term(RIGHTS, title, sentence) for title, sentence in GM_RIGHTS)
    yield Term(RIGHTS, "Limits", _never_seen(options))
    yield Term(PUBLIC, "Orders", "Orders are secret until the phase ends. Then everyone sees them and their results.")
    if options[Looks].bids:
        yield Term(PUBLIC, "Bids", BIDS)
    yield Term(
        PUBLIC, "Missing orders", "When a phase ends, everyone sees which players had orders to enter but saved none."
    )
    yield Term(
        PUBLIC,
        "Sitters",
        "A player who is away can ask someone who isn’t involved in the game to enter orders while they’re away. The "
        "log says that a player has a sitter, but names neither of them.",
    )
    if options[Talk].press == Press.FULL:
        yield Term(PUBLIC, "Private messages", "Only the sender and the recipients can read a private message.")
    if options[Dealing].seats == Seats.PREFERENCES:
        yield Term(
            PUBLIC,
            "Preferences",
            "Only you can see which powers you prefer. Your list is deleted once the powers have been assigned.",
        )


GM_RIGHTS = (
    ("Clock", "The game master can start, pause and resume the game, and extend deadlines."),
    (
        "Seats",
        "They can give a seat to another player, remove a player, let a bot play a vacant seat, or put a power into "
        "permanent civil disorder.",
    ),
    ("Mistakes", "They can go back to an earlier phase, or correct an order or the position, but must give a reason."),
    ("Closing the game", f"They can close the game at any time. “{Heading.ENDING}” says with which result."),
    (
        "Assistants",
        "They can name assistants, who do some of this for them and see what they see. Assistants can’t play or sit in "
        "this game, and the log names each of them.",
    ),
    (
        "These terms",
        "They can change these terms before anyone has joined, and later only if all players agree. New terms that "
        "show more of what players save hold only for phases that open afterwards. A deadline moves forward only if "
        "all players with orders to enter agree.",
    ),
    ("Handing over", "They can hand the game over to another game master."),
    ("The log", "Each of these actions is recorded in the public log."),
)


def _never_seen(options: GameOptions) -> str:
    if options[Previews].allowed:
        return "They can’t read the players’ private messages."
    unless = " unless that player agrees" if options[EnteredOrders].allowed else ""
    return (
        f"They can’t see what a player has saved for the current phase{unless}. They can’t read the players’ private "
        "messages."
    )


BIDS = (
    "Everyone sees which order each minor power followed. If a phase is played again, its bids count again, and "
    "comparing the two results may reveal something about the bids."
)
