"""Public reads: cards of games, what is played here, what happened. Nothing here knows a sealed sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404

from adjudication.turns import Turn
from adjudication.words import phase_words
from games.models import (
    OVER,
    PRESS_TEXTS,
    SEAT_TEXTS,
    Event,
    EventKind,
    Game,
    Joiner,
    Occupancy,
    Phase,
    Press,
    Seats,
    Status,
)
from games.models.game import MODERATORS
from games.phase_view import EventView, GameCard, GameOptionsView, PhaseHead, PowerCard, VariantCard
from games.terms import has_bids, pace_of, press_texts, terms_of
from games.unread import unread_by_game
from games.wording import in_words
from variants.registry import ALL, UnknownVariant, find

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import timedelta

    from django.db.models import QuerySet

    from games.models import GameOptions
    from variants.variant import PowerInfo, Variant

MOST_CARDS = 50
LIVE_SECONDS = 3 * 3600
PACES = {"live": "Live, in an evening", "slow": "Over days and weeks"}
NOBODY = 0
"""The id that no account has."""


def variants_offered() -> tuple[VariantCard, ...]:
    return tuple(_variant_card(variant) for variant in ALL)


def variant_card(slug: str) -> VariantCard:
    """One variant; Http404 if it is not played here."""
    variant = _still_played(slug)
    if variant is None:
        raise Http404
    return _variant_card(variant)


def card_of_power(power: PowerInfo) -> PowerCard:
    return PowerCard(power.id, power.name, str(power.colour), power.letter)


def _variant_card(variant: Variant) -> VariantCard:
    return VariantCard(
        slug=variant.slug,
        title=variant.title,
        players=variant.players,
        summary=variant.summary,
        rules_text=variant.rules_text,
        credits=variant.credits,
        powers=tuple(map(card_of_power, variant.powers)),
        bids=has_bids(variant),
        press_title=PRESS_TEXTS[Press(variant.press_default)][0],
    )


def invitation(token: str) -> str:
    """The slug of the game that an invitation link is for; Http404 if there is none."""
    game = Game.objects.filter(by_invitation=True, invitation=token).first()
    if game is None:
        raise Http404
    return game.slug


def narrowed(games: QuerySet[Game], *, variant: str = "", press: str = "", pace: str = "") -> QuerySet[Game]:
    """Only the games of this variant, with this press, of this pace (a key of PACES); what is empty narrows nothing."""
    if variant:
        games = games.filter(variant_slug=variant)
    if press:
        games = games.filter(stored_options__press=press)
    if pace:
        live = Q(stored_options__movement_seconds__lt=LIVE_SECONDS)
        games = games.filter(live if pace == "live" else ~live)
    return games


def cards(
    games: QuerySet[Game], *, user_id: int | None, sits_in: Collection[int] = ()
) -> tuple[GameCard, ...]:
    """Cards of these games, at most fifty, as this user sees them; `sits_in`: games where he sits for a player."""
    seated = Q(occupancies__until__isnull=True, occupancies__isnull=False)
    mine = Occupancy.objects.filter(user_id=user_id or NOBODY, until__isnull=True).select_related("seat")
    rows = games.select_related("gm", "muster").annotate(
        places=Count("seats", distinct=True),
        taken=Count("occupancies", filter=seated, distinct=True) + Count("joiners", distinct=True),
    )
    repairs = Event.objects.filter(game=OuterRef("pk"), kind__in=REPAIRS).order_by().values("game")
    rows = rows.annotate(repairs=Coalesce(Subquery(repairs.annotate(n=Count("pk")).values("n")), 0))
    rows = rows.prefetch_related(
        Prefetch("phases", Phase.objects.filter(closed__isnull=True).defer("position"), to_attr="open_now"),
        Prefetch("occupancies", mine, to_attr="my_seats"),
        Prefetch("joiners", Joiner.objects.filter(user_id=user_id or NOBODY), to_attr="my_joining"),
    )
    found = list(rows[:MOST_CARDS])
    written_to = [game.pk for game in found if game.my_seats or game.gm_id == user_id or game.pk in sits_in]
    unread = unread_by_game(user_id, written_to)
    return tuple(_card(game, user_id, unread.get(game.pk, 0), i_sit=game.pk in sits_in) for game in found)


def _card(game: Game, user_id: int | None, unread: int, *, i_sit: bool) -> GameCard:
    """A card from a row with the annotations and prefetches of `cards`."""
    phase: Phase | None = next(iter(game.open_now), None)  # type: ignore[attr-defined]
    mine: Occupancy | None = next(iter(game.my_seats), None)  # type: ignore[attr-defined]
    taken: int = game.taken  # type: ignore[attr-defined]
    places: int = game.places  # type: ignore[attr-defined]
    head = head_of(phase) if phase else None
    variant = _still_played(game.variant_slug)
    return GameCard(
        slug=game.slug,
        name=game.name,
        variant=game.variant_slug,
        variant_title=variant.title if variant else game.variant_slug,
        status=game.status,
        status_sentence=_status_sentence(game, taken, places, head),
        verdict=game.verdict["sentence"] if game.verdict else "",
        winners=tuple(game.verdict["winners"]) if game.verdict else (),
        gm_name=game.gm.get_username(),
        players=places,
        taken=taken,
        ordinal=head.ordinal if head else None,
        turn_title=head.title if head else "",
        kind_title=head.kind_title if head else "",
        deadline=head.deadline if head else None,
        remaining_seconds=head.remaining_seconds if head else None,
        everybody_is_ready=phase.in_window if phase else False,
        by_invitation=game.by_invitation,
        my_power=mine.seat.power if mine else None,
        i_joined=bool(game.my_joining),  # type: ignore[attr-defined]
        i_sit=i_sit,
        i_am_gm=user_id is not None and game.gm_id == user_id,
        muster_until=game.muster.deadline if hasattr(game, "muster") else None,
        options=options_view(game.options, variant, by_invitation=game.by_invitation),
        created=game.created,
        repairs=game.repairs,  # type: ignore[attr-defined]
        unread=unread,
    )


def _still_played(variant_slug: str) -> Variant | None:
    """None for a variant that is no longer played here: the lists open all the same."""
    try:
        return find(variant_slug)
    except UnknownVariant:
        return None


def _status_sentence(game: Game, taken: int, places: int, head: PhaseHead | None) -> str:
    sentences = {
        Status.OPEN: f"Waiting for players: {taken} of {places} seats are taken.",
        Status.RUNNING: f"{phase_words(head)}." if head else "",
        Status.PAUSED: "Paused by the game master; orders can be written.",
        Status.HELD: _held_sentence(game),
    }
    return sentences.get(Status(game.status)) or (game.verdict or {}).get("sentence", "")


def _held_sentence(game: Game) -> str:
    if game.incident == MODERATORS:
        return "The moderators of the site have stopped this game; the log says why. Nothing is lost."
    return (
        f"The judge has stopped this game (incident {game.incident}). "
        "Nothing is lost; it goes on when a person has looked at it."
    )


def head_of(phase: Phase) -> PhaseHead:
    turn = Turn.from_code(phase.turn)
    return PhaseHead(
        ordinal=phase.ordinal,
        code=phase.turn,
        title=turn.title,
        year=turn.year,
        short=turn.short,
        kind=turn.kind.value,
        kind_title=turn.kind_title,
        is_open=phase.closed is None,
        opened=phase.opened,
        closed=phase.closed,
        deadline=phase.deadline,
        remaining_seconds=None if phase.remaining is None else _whole_seconds(phase.remaining),
    )


def _whole_seconds(time: timedelta) -> int:
    return int(time.total_seconds())


def options_view(options: GameOptions, variant: Variant | None, *, by_invitation: bool) -> GameOptionsView:
    """The options in words for games of a variant, which may no longer be played here (None)."""
    terms = terms_of(options, variant, by_invitation=by_invitation)
    return GameOptionsView(
        movement_seconds=options.movement_seconds,
        retreat_seconds=options.retreat_seconds,
        adjustment_seconds=options.adjustment_seconds,
        gm_plays=options.gm_plays,
        all_ready=options.all_ready,
        gm_processes_early=options.gm_processes_early,
        bids=variant is not None and has_bids(variant),
        gm_sees_bids=options.gm_may_look(),
        gm_previews=options.gm_may_preview(),
        open_bids_at_end=options.open_bids_at_end,
        press=options.press,
        press_title=press_texts(options)[0],
        hidden_names=options.hidden_names,
        seats=options.seats,
        seats_title=SEAT_TEXTS[Seats(options.seats)][0],
        approval=options.approval,
        least_reliability=options.least_reliability,
        newcomers_welcome=options.newcomers_welcome,
        muster_seconds=options.muster_seconds,
        show_ready=options.show_ready,
        may_end_early=options.may_end_early,
        panic_seconds=options.panic_seconds,
        grace_seconds=options.grace_seconds,
        grace_times=options.grace_times,
        absence_days=options.absence_days,
        pace=pace_of(options),
        zone=options.week.place,
        terms=terms,
    )


def names_are_hidden(game: Game, user_id: int | None) -> bool:
    """May this viewer not know who plays which power?"""
    if not game.options.hidden_names or game.status in OVER:
        return False
    return user_id is None or game.gm_id != user_id or not game.options.gm_sees_names()


def events_of(game: Game, variant: Variant, *, hidden: bool = False) -> tuple[EventView, ...]:
    """The public log, newest first; with `hidden` it names nobody who plays."""
    rows = Event.objects.filter(game=game).select_related("by").order_by("-pk")
    return tuple(
        EventView(event.at, event.kind, _event_sentence(event, game, variant, hidden=hidden))
        for event in rows
    )


def _event_sentence(event: Event, game: Game, variant: Variant, *, hidden: bool) -> str:
    facts = dict(event.facts)
    names = {power.id: power.name for power in variant.powers}
    facts["power"] = names.get(facts.get("power", ""), "")
    facts["who"] = event.by.get_username() if event.by else "The site"
    if hidden and event.kind in BY_PLAYERS:
        facts["who"] = "A player"
    if hidden and "player" in facts:
        facts["player"] = "a player"
    if "turn" in facts:
        facts["turn"] = Turn.from_code(facts["turn"]).title
    if "seconds" in facts:
        facts["how"] = f"by {in_words(facts['seconds'])}"
    sentence = _event_words(event, game).format(**facts)
    return f"{sentence} Reason: {facts['reason']}" if facts.get("reason") else sentence


def _event_words(event: Event, game: Game) -> str:
    if event.kind == EventKind.STARTED and not event.by_id:
        return STARTED_WHEN_CONFIRMED if game.options.muster_seconds else STARTED_WHEN_FULL
    return ENDED_EARLY if event.facts.get("seconds") == 0 else EVENT_SENTENCES[EventKind(event.kind)]


CLOCK = (
    EventKind.DEADLINE_MOVED,
    EventKind.DEADLINE_SET,
    EventKind.GRACE_GIVEN,
    EventKind.PLAYER_AWAY,
    EventKind.FRESH_TIME,
    EventKind.PAUSED,
    EventKind.RESUMED,
    EventKind.HELD,
    EventKind.STOPPED,
    EventKind.RELEASED,
)
"""What makes the clock of the open phase go otherwise."""
REPAIRS = (EventKind.ROLLED_BACK, EventKind.AMENDED, EventKind.POSITION_EDITED)
"""What changes a position or a result that was there already."""

BY_PLAYERS = {
    EventKind.SEAT_TAKEN,
    EventKind.SEAT_LEFT,
    EventKind.JOINED,
    EventKind.UNJOINED,
    EventKind.CONFIRMED,
    EventKind.PLACE_LOST,
    EventKind.BOT_STOPPED,
    EventKind.RESIGNED,
    EventKind.CAME_BACK,
    EventKind.TAKEN_OVER,
}
"""What is done by whoever plays the power, and not by the game master as such."""

ENDED_EARLY = "{who} ended {turn} before its time."
"""Of a deadline that was moved by nothing, which is to say to that moment."""
STARTED_WHEN_FULL = "The game started, because all seats were taken."
STARTED_WHEN_CONFIRMED = "The game started, because everybody had confirmed."
"""Of a game that nobody started: it went by itself, with a roll call or without."""
EVENT_SENTENCES = {
    EventKind.CREATED: "{who} created the game.",
    EventKind.SEAT_TAKEN: "{who} took the seat of {power}.",
    EventKind.SEAT_LEFT: "{who} left the seat of {power}.",
    EventKind.JOINED: "{who} joined the game.",
    EventKind.UNJOINED: "{who} left the game before it started.",
    EventKind.ADMITTED: "{who} let {player} join.",
    EventKind.MUSTER_CALLED: "{who} called the roll: everybody has {time} to confirm.",
    EventKind.CONFIRMED: "{who} confirmed.",
    EventKind.PLACE_LOST: "{who} did not confirm in time and lost the place in the game.",
    EventKind.SEATS_DEALT: "{who} dealt the seats.",
    EventKind.BOT_STOPPED: "{who} plays {power} in person; the bot has stopped.",
    EventKind.STARTED: "{who} started the game.",
    EventKind.DEADLINE_MOVED: "{who} moved the deadline of {turn} {how}.",
    EventKind.PAUSED: "{who} paused the game.",
    EventKind.GRACE_GIVEN: "The deadline of {turn} moved {how}: somebody had not saved orders.",
    EventKind.PLAYER_AWAY: "The deadline of {turn} moved: a player is away.",
    EventKind.RESUMED: "{who} resumed the game.",
    EventKind.HELD: "The judge stopped the game, incident {incident}.",
    EventKind.STOPPED: "The moderators of the site stopped the game.",
    EventKind.RELEASED: "The game goes on after the incident.",
    EventKind.SECEDED: "{who} declared {power} to be in permanent civil disorder.",
    EventKind.PLAYER_SEATED: "{who} gave the seat of {power} to {player}.",
    EventKind.BIDS_LOOKED_AT: "{who} looked at the bids of {turn}.",
    EventKind.PROPOSED: "{power} proposed {what}.",
    EventKind.AGREED: "{power} agreed to {what}.",
    EventKind.REFUSED: "{power} refused {what}.",
    EventKind.WITHDRAWN: "{power} withdrew its proposal of {what}.",
    EventKind.PROPOSAL_FELL: "The proposal of {what} fell away, because it names a power that is no longer there.",
    EventKind.FINISHED: "The game ended. {sentence}",
    EventKind.CLOSED: "{sentence}",
    EventKind.ROLLED_BACK: "{who} went back to {turn}; what came after it is undone.",
    EventKind.AMENDED: "{who} corrected an order of {turn}: {sentence} The phase was judged again.",
    EventKind.POSITION_EDITED: "{who} changed the position of {turn}: {sentence}",
    EventKind.PREVIEWED: "{who} looked at what the orders saved so far for {turn} would lead to.",
    EventKind.SEAT_EMPTIED: "{who} took {player} out of the seat of {power}; it is vacant.",
    EventKind.DEADLINE_SET: "{who} moved the deadline of {turn} to {until}.",
    EventKind.RESIGNED: "{who} gave up the seat of {power}; it is vacant.",
    EventKind.SEAT_LAPSED: "The seat of {power} is vacant: nothing was saved {times}.",
    EventKind.CAME_BACK: "{who} came back to the seat of {power}.",
    EventKind.TAKEN_OVER: "{who} took over the seat of {power}.",
    EventKind.FRESH_TIME: "The deadline of {turn} moved {how}: the newcomer has a full phase.",
    EventKind.SITTER_NAMED: "A player has a sitter for some days.",
    EventKind.HANDED_OVER: "{who} is the game master now: the one before handed the game over.",
    EventKind.MASTER_NAMED: "{who} is the game master now, asked by the moderators of the site.",
    EventKind.RESTORED: "After a fault the site was put back as it was on {until}. {sentence}",
}
