"""The options of a game in words, by group: what everybody is told before they join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.options import (
    DRAW_TEXTS,
    GUNBOAT,
    SEAT_TEXTS,
    Draws,
    Press,
    Seats,
    closed_phases,
    press_texts,
)
from games.kernel.parts import Term, TermGroup
from games.kernel.queries import has_bids
from games.kernel.timetable import in_words, length_in_words, place, times_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudication.turns import PhaseKind
    from games.kernel.options import GameOptions
    from variants.variant import Variant


WHEN, JOINING, MASTER, TALK, BIDS = "When", "Joining", "The game master", "Talk and names", "Bids"

ENDING = "The end"

PLAYED, RIGHTS, PUBLIC = "What is played", "What the game master can do", "What is public, and when"


def terms_of(options: GameOptions, variant: Variant | None, *, by_invitation: bool) -> tuple[Term, ...]:
    """Everything chosen for a game of a variant, which may no longer be played here (None)."""
    special = frozenset(variant.ruleset.special) if variant else frozenset()
    return (
        *when_terms(options, special),
        *_joining(options, by_invitation=by_invitation),
        *([Term(JOINING, "Vacant seats", _vacant(options))] if options.vacant_after else ()),
        Term(MASTER, "Part in the game", _part(options)),
        *_previews(options),
        Term(TALK, "Talk", " ".join([f"{press_texts(options)[0]}.", *_press(options)])),
        *(_bids(options) if variant is not None and has_bids(variant) else _sheets(options)),
        Term(ENDING, "By agreement", _agreement(options)),
        *_last_year(options),
    )


def pace_of(options: GameOptions) -> str:
    """The time for orders in a few words, as in "24 hours for orders", "orders Mondays 19:00 (Berlin)"."""
    times = options.week.movement
    if times:
        return f"orders {times_in_words(times)} ({place(options.week.zone)})"
    return f"{length_in_words(options.movement_seconds)} for orders"


def when_terms(options: GameOptions, special: frozenset[PhaseKind]) -> tuple[Term, ...]:
    """All about time; `special` are the kinds of phases that only some variants have."""
    return (
        Term(WHEN, "Time", in_words(options.timetable, special)),
        Term(WHEN, "Early end", _early_end(options)),
        *([Term(WHEN, "Nothing saved", _grace(options))] if options.grace_times else ()),
        *([Term(WHEN, "Days away", _absences(options))] if options.absence_days else ()),
    )


def _grace(options: GameOptions) -> str:
    times = {1: "once", 2: "twice"}.get(options.grace_times, f"{options.grace_times} times")
    return (
        f"If the deadline comes and somebody has saved nothing, it moves by {length_in_words(options.grace_seconds)}, "
        f"once in a phase and for each player at most {times} in the game. Everybody then learns that somebody had not "
        "saved, not who, and may change saved orders until the new deadline."
    )


def _absences(options: GameOptions) -> str:
    days = "1 day" if options.absence_days == 1 else f"{options.absence_days} days"
    return (
        f"Each player may book {days} ahead. No deadline on which that player must decide falls on a booked day; "
        "the others learn that a player is away, not who."
    )


def _early_end(options: GameOptions) -> str:
    shown = "who is ready is public" if options.show_ready else "nobody sees who is ready"
    sentence = "A phase ends at its deadline, also when all are done."
    if options.panic_seconds:
        after = length_in_words(options.panic_seconds)
        sentence = f"A phase ends {after} after all are ready, unless somebody takes that back; {shown}."
    elif options.all_ready:
        sentence = f"A phase ends as soon as all are ready; {shown}."
    return f"{sentence} The game master may end a phase early." if options.gm_processes_early else sentence


def _joining(options: GameOptions, *, by_invitation: bool) -> tuple[Term, ...]:
    title, explanation = SEAT_TEXTS[Seats(options.seats)]
    return (
        Term(JOINING, "Who may join", _entrance(options, by_invitation=by_invitation)),
        *([Term(JOINING, "Reliability", _reliability(options))] if options.least_reliability else ()),
        Term(JOINING, title, explanation),
        Term(JOINING, "The start", start_in_words(options)),
    )


def _entrance(options: GameOptions, *, by_invitation: bool) -> str:
    if by_invitation:
        sentence = "Only people with the invitation link see the game and may join it."
    elif options.approval:
        return "Everybody may watch the game. Who wants to play asks the game master, who says yes or no."
    else:
        sentence = "Everybody may watch the game and join it while there is room."
    return f"{sentence} The game master must say yes as well." if options.approval else sentence


def _vacant(options: GameOptions) -> str:
    return (
        f"Who has something to decide and saves nothing {misses_in_words(options.vacant_after)} loses the seat, which "
        "counts as abandoning the game. It is vacant then, and anybody who may join the game may take it."
    )


def misses_in_words(phases: int) -> str:
    return "in one phase" if phases == 1 else f"in {phases} phases in a row"


def _reliability(options: GameOptions) -> str:
    new = "New players are welcome." if options.newcomers_welcome else "New players cannot join."
    return f"Players who have met at least {options.least_reliability} % of their phases, over all games here. {new}"


def start_in_words(options: GameOptions) -> str:
    """What happens between the last one joining and the first turn."""
    if not options.muster_seconds:
        return "The game starts as soon as it is full, or when the game master starts it."
    return (
        f"When the game is full, everybody has {length_in_words(options.muster_seconds)} to confirm, and it starts "
        "when all have. Who does not confirm loses the place, and it is open again."
    )


def what_is_played(variant: Variant) -> Term:
    return Term(PLAYED, variant.title, f"{variant.summary} For {variant.players} players.")


def house_rules(options: GameOptions, variant: Variant | None) -> tuple[Term, ...]:
    """What holds in every game like this one, though nobody chose it: the game master's rights, and what is public."""
    return (
        Term(RIGHTS, "Clock", "Start the game, give more time, stop the clock and let it run again."),
        Term(
            RIGHTS,
            "Seats",
            "Put somebody else into a seat, take a player out, or declare a power to be in civil disorder for good.",
        ),
        Term(
            RIGHTS,
            "Mistakes",
            "Go back to an earlier phase, or put an order or the position right, always with a reason.",
        ),
        Term(
            RIGHTS,
            "The end",
            "Close the game, which is a draw among all who have a unit, or hand it over to another game master.",
        ),
        Term(
            RIGHTS,
            "The log",
            "Each of these acts stands in the public log, with its time, for everybody to see.",
        ),
        Term(RIGHTS, "Never", _never_seen(options)),
        Term(
            PUBLIC,
            "Orders",
            "Secret until the phase ends. Then everybody sees all orders and what came of them.",
        ),
        *([_bids_in_public(options)] if variant is not None and has_bids(variant) else ()),
        Term(
            PUBLIC,
            "Silence",
            "Who had something to decide and saved nothing is named when the phase has ended.",
        ),
        Term(PUBLIC, "Sitters", SITTERS),
        *([Term(PUBLIC, "Letters", PRIVATE_LETTERS)] if options.press == Press.FULL else ()),
        *([Term(PUBLIC, "Wish lists", WISHES)] if options.seats == Seats.PREFERENCES else ()),
    )


PRIVATE_LETTERS = (
    "Private messages are for the powers they went to. Nobody else learns of them, the game master neither."
)

SITTERS = (
    "A player who is away may name a sitter, who has no part in the game and writes the orders meanwhile. "
    "The log says that a player has one, not who, nor for whom."
)

OPENED_SHEETS = (
    "All sheets of the phases played are published whole when the game ends, with all that stands on them."
)

ENOUGH = "Nothing can be agreed while half of the powers that are left, or more, are vacant."

WISHES = "Nobody but you sees your list of powers. It is deleted when the powers have been dealt."


def _never_seen(options: GameOptions) -> str:
    if options.gm_may_preview():
        return "Read the private messages of the players."
    return (
        "See what anybody has written for a phase that is open, or read the private messages of the players."
    )


def _bids_in_public(options: GameOptions) -> Term:
    end = "is published when the game is over" if options.open_bids_at_end else "is never published"
    sentence = f"Everybody sees which order a minor power got. Who paid for what, and how much, {end}."
    again = "When a phase is played again, bids for it count again, and the two results may tell something of them."
    return Term(PUBLIC, "Bids", f"{sentence} {again}")


def grouped(terms: Iterable[Term]) -> tuple[TermGroup, ...]:
    """The terms under the titles of their groups, in the order in which the groups come first."""
    groups: dict[str, list[Term]] = {}
    for term in terms:
        groups.setdefault(term.group, []).append(term)
    return tuple(TermGroup(title, tuple(members)) for title, members in groups.items())


def _part(options: GameOptions) -> str:
    return "The game master plays as well." if options.gm_plays else "The game master does not play."


def _previews(options: GameOptions) -> tuple[Term, ...]:
    if not options.gm_may_preview():
        return ()
    sentence = (
        "The game master may look at what the orders saved so far would lead to, before the phase ends. "
        "Each look stands in the public log."
    )
    return (Term(MASTER, "Previews", sentence),)


def _press(options: GameOptions) -> list[str]:
    title, explanation = press_texts(options)
    hidden = [] if title == GUNBOAT[0] else ["Nobody is told who plays which power until the game is over."]
    seen = "does not play and sees the names" if options.gm_sees_names() else "plays and sees no names either"
    names = [*hidden, f"The game master {seen}."] if options.hidden_names else []
    closed = (
        [f"Players write nothing while {closed_phases(options)} are open."] if options.press_closed else []
    )
    return [explanation, *closed, *names]


def _bids(options: GameOptions) -> tuple[Term, ...]:
    return (
        Term(
            BIDS,
            "During the game",
            "The game master may look at the bids of closed phases; every look is in the public log."
            if options.gm_may_look()
            else "Nobody but their owners sees bids, also not the game master.",
        ),
        Term(
            BIDS,
            "After the end",
            OPENED_SHEETS if options.open_bids_at_end else "Bids stay sealed for ever.",
        ),
    )


def _sheets(options: GameOptions) -> tuple[Term, ...]:
    """Where no points are bid, what there is to say of sheets."""
    return (Term(ENDING, "Sheets", OPENED_SHEETS),) if options.open_bids_at_end else ()


def _agreement(options: GameOptions) -> str:
    votes = (
        "Everybody sees who agrees."
        if options.open_votes
        else "Votes are secret: nobody learns who agrees, or how many."
    )
    return f"{DRAW_TEXTS[Draws(options.draws)][1]} {votes} {ENOUGH}"


def _last_year(options: GameOptions) -> tuple[Term, ...]:
    if options.last_year is None:
        return ()
    sentence = f"When {options.last_year} has been played to its end, the powers that are left share a draw."
    return (Term(ENDING, "Last year", sentence),)
