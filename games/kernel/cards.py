"""The cards of games in lists, from public facts. Nothing here reads a sealed sheet."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, DateTimeField, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.serialisation import facts_to_json
from games.kernel import clock, codec
from games.kernel.hooks import games_with_requests, kept_places, unread_by_game, wanted_by_game
from games.kernel.languages import later
from games.kernel.models import MODERATORS, OVER, Game, Occupancy, Phase, Readiness, Right, Status
from games.kernel.news import NEWS_BY_LINE, Topic
from games.kernel.options import Bots
from games.kernel.parts import EndView, GameCard, GameOptionsView, GamePage, PhaseHead, Wanted
from games.kernel.plain import without_case_and_accents
from games.kernel.queries import LIVE_SECONDS, NOBODY, phase_head
from games.kernel.standpoint import Standpoint
from variants.words.orders import phase_words

NEWEST_FIRST = ("-created", "-pk")
NEXT_FIRST = ("due", *NEWEST_FIRST)
WITHOUT_A_CLOCK, WHEN_OVER = (datetime(year, 1, 1, tzinfo=UTC) for year in (9998, 9999))
"""Where these games stand among deadlines."""
MOST_CARDS = 30
MOST_COUNTED = 100
PLACES = "(SELECT count(*) FROM kernel_seat WHERE game_id = kernel_game.id AND NOT disordered)"
TAKEN = """(
    (SELECT count(*) FROM kernel_occupancy WHERE game_id = kernel_game.id AND until IS NULL)
    + (SELECT count(*) FROM kernel_joiner WHERE game_id = kernel_game.id)
)"""
BOTS = "(SELECT count(*) FROM kernel_occupancy WHERE game_id = kernel_game.id AND until IS NULL AND bot <> '')"
REPAIRS = "(SELECT count(*) FROM kernel_event WHERE game_id = kernel_game.id AND kind = ANY(%s))"
PACE_FILTERS = {"live": later("Live, in one evening"), "slow": later("Over days and weeks")}


def slug_for_invitation(token: str) -> str:
    """The slug of the game that an invitation link is for; raises Http404 if there is none."""
    game = Game.objects.filter(by_invitation=True, invitation=token).first()
    if game is None:
        raise Http404
    return game.slug


def filtered_games(
    games: QuerySet[Game], *, variant: str = "", press: str = "", pace: str = "", name: str = ""
) -> QuerySet[Game]:
    """The games with this variant, press, pace (a key of PACES) and part of a name; empty values are ignored."""
    if name:
        games = games.filter(name__plain__contains=without_case_and_accents(name))
    if variant:
        games = games.filter(variant_slug=variant)
    if press:
        games = games.filter(stored_options__press=press)
    if pace:
        live = Q(stored_options__movement_seconds__lt=LIVE_SECONDS)
        games = games.filter(live if pace == "live" else ~live)
    return games


def with_counts(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games with their numbers of `places`, of places `taken`, `kept` for guests and played by `bots`, and of
    `repairs`."""
    kinds = [kind for kind, news in NEWS_BY_LINE.items() if news.topic == Topic.REPAIR]
    return games.annotate(
        places=RawSQL(PLACES, ()),
        taken=RawSQL(TAKEN, ()),
        kept=RawSQL(kept_places(), ()),
        bots=RawSQL(BOTS, ()),
        repairs=RawSQL(REPAIRS, (kinds,)),
    )


def sorted_by_deadline(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games by deadline, the nearest first, then those whose clock is stopped, then those that are over."""
    deadline = Phase.objects.filter(game=OuterRef("pk"), closed__isnull=True).values("deadline")
    otherwise = Case(When(status__in=OVER, then=Value(WHEN_OVER)), default=Value(WITHOUT_A_CLOCK))
    due = Coalesce(Subquery(deadline), otherwise, output_field=DateTimeField())
    return games.annotate(due=due).order_by(*NEXT_FIRST)


def paged_by_deadline(games: QuerySet[Game], *, among: QuerySet[Game], after: str = "") -> QuerySet[Game]:
    """As `newest_from`, in the order of `sorted_by_deadline`."""
    sorted_games = sorted_by_deadline(games)
    if not after:
        return sorted_games
    last_game: Any = sorted_by_deadline(among).filter(slug=after.replace("\0", "")).only("created").first()
    if last_game is None:
        return sorted_games.none()
    older = Q(created__lt=last_game.created) | Q(pk__lt=last_game.pk, created=last_game.created)
    return sorted_games.filter(Q(due__gt=last_game.due) | Q(older, due=last_game.due))


def newest_from(games: QuerySet[Game], *, among: QuerySet[Game], after: str = "") -> QuerySet[Game]:
    """The games, newest first: all, or those after the game with the slug `after`; none if that isn't `among` these."""
    rows = games.order_by(*NEWEST_FIRST)
    if not after:
        return rows
    last_game = among.filter(slug=after.replace("\0", "")).only("created").first()
    if last_game is None:
        return rows.none()
    return rows.filter(Q(created__lt=last_game.created) | Q(pk__lt=last_game.pk), created__lte=last_game.created)


def game_page(
    games: QuerySet[Game], *, user_id: int | None, lent: Mapping[int, Occupancy] | None = None, most: int = MOST_CARDS
) -> GamePage:
    """The first cards of a list, and whether it has more. Facts for cards are read only for games that are shown."""
    return page_of_cards(game_cards(first_games(games, most), user_id=user_id, lent=lent), most)


def first_games(games: QuerySet[Game], most: int) -> QuerySet[Game]:
    """The first games in this order: at most this many, and one more that shows whether there are others."""
    rows = Game.objects.filter(pk__in=games.values("pk")[: most + 1])
    return sorted_by_deadline(rows) if "due" in games.query.annotations else rows.order_by(*NEWEST_FIRST)


def page_of_cards(cards: tuple[GameCard, ...], most: int) -> GamePage:
    """A page of at most this many cards."""
    return GamePage(cards[:most], cards[most - 1].slug if len(cards) > most else "")


def game_cards(
    games: QuerySet[Game], *, user_id: int | None, lent: Mapping[int, Occupancy] | None = None
) -> tuple[GameCard, ...]:
    """The cards of these games as this user sees them; `lent`: the seats that they are sitting for, by game."""
    return cards_of_rows(list(games_with_card_facts(games, user_id, lent or {})), user_id=user_id, lent=lent or {})


def games_with_card_facts(games: QuerySet[Game], user_id: int | None, lent: Collection[int] = ()) -> QuerySet[Any]:
    """These games with the facts for their cards."""
    seat = Q(occupancies__user_id=user_id or NOBODY, occupancies__until__isnull=True)
    has_joined = Q(joiners__user_id=user_id or NOBODY)
    yes = Q(roll_call__confirmations__user_id=user_id or NOBODY)
    rows = with_counts(games).annotate(
        my_seat=FilteredRelation("occupancies", condition=seat),
        my_place=FilteredRelation("joiners", condition=has_joined),
        my_yes=FilteredRelation("roll_call__confirmations", condition=yes),
        confirmed=F("my_yes__pk"),
        my_request=FilteredRelation("requests", condition=Q(requests__user_id=user_id or NOBODY)),
        asked_at=F("my_request__asked"),
        is_accepted=F("my_request__accepted"),
        open_now=FilteredRelation("phases", condition=Q(phases__closed__isnull=True, phases__undoing__isnull=True)),
        my_position=Case(When(Q(my_seat__isnull=False) | Q(pk__in=lent), then="open_now__position")),
        ready_now=ArraySubquery(Readiness.objects.filter(phase=OuterRef("open_now")).values("seat_id")),
        read_at=clock.now_in_sql(),
    )
    rows = rows.select_related("gm", "roll_call", "my_seat__seat", "my_place", "open_now")  # type: ignore[misc]
    return rows.defer("open_now__position")  # type: ignore[misc]  # named above


def cards_of_rows(rows: list[Any], *, user_id: int | None, lent: Mapping[int, Occupancy]) -> tuple[GameCard, ...]:
    """The cards of games that were read with `games_with_card_facts`."""
    written_to = [
        game.pk for game in rows if _seat_in(game) or _has_joined(game) or game.is_run_by(user_id) or game.pk in lent
    ]
    counts = unread_by_game(user_id, written_to, clock.when_read(rows[0])) if written_to else {}
    seats = [(game, _seat_in(game) or lent.get(game.pk)) for game in rows]
    due = [(held, _phase_with_own_position(game)) for game, held in seats if held and _phase_of(game)]
    wants = wanted_by_game(due, {seat for game in rows for seat in game.ready_now}) if due else {}
    run = [game.pk for game in rows if Right.SEATS in game.rights_of(user_id)]
    with_requests = games_with_requests(run) if run else ()
    return tuple(
        _card(
            game,
            user_id=user_id,
            phase=_phase_of(game),
            mine=_seat_in(game),
            i_joined=_has_joined(game),
            i_sit=game.pk in lent,
            unread=counts.get(game.pk, 0),
            has_asked=game.asked_at is not None and game.is_accepted is None,
            is_accepted=bool(game.is_accepted),
            i_only_follow=getattr(game, "is_followed", False) and not getattr(game, "is_own", False),
            wants=_most_urgent(game, wants.get(game.pk), counts.get(game.pk, 0), is_asked=game.pk in with_requests),
        )
        for game in rows
    )


def _most_urgent(game: Any, orders: Wanted | None, unread_count: int, *, is_asked: bool) -> Wanted | None:
    """What the game wants of this user most urgently; `orders` is what its open phase wants."""
    is_waiting = game.status == Status.OPEN and (_has_joined(game) or _seat_in(game) is not None)
    if is_waiting and hasattr(game, "roll_call") and game.confirmed is None:
        return Wanted.PLACE
    if orders is Wanted.ORDERS:
        return orders
    if is_asked:
        return Wanted.REQUESTS
    if unread_count:
        return Wanted.MESSAGES
    return Wanted.NOTHING if is_waiting else orders


def _phase_of(game: Any) -> Phase | None:
    """The open phase, with its position only for those who play."""
    return getattr(game, "open_now", None)


def _phase_with_own_position(game: Any) -> Phase:
    phase: Phase = game.open_now
    phase.game, phase.position = game, game.my_position
    return phase


def _has_joined(game: Any) -> bool:
    return getattr(game, "my_place", None) is not None


def _seat_in(game: Game) -> Occupancy | None:
    return getattr(game, "my_seat", None)


def card_of_game(here: Standpoint, *, unread: int) -> GameCard:
    """The card of one game, read `with_counts`, as this user sees it. For a sitter it counts no unread messages."""
    i_joined = any(row.user_id == here.user_id for row in here.joiners)
    return _card(
        here.game,
        user_id=here.user_id,
        phase=here.open_phase,
        mine=here.held,
        i_joined=i_joined,
        unread=unread if here.held or here.rights or i_joined else 0,
    )


def _card(
    game: Game,
    *,
    user_id: int | None,
    phase: Phase | None,
    mine: Occupancy | None,
    i_joined: bool,
    unread: int,
    i_sit: bool = False,
    has_asked: bool = False,
    is_accepted: bool = False,
    i_only_follow: bool = False,
    wants: Wanted | None = None,
) -> GameCard:
    """The card for a game `with_counts`."""
    bots: int = game.options[Bots].bots if game.status == Status.OPEN else game.bots  # type: ignore[attr-defined]
    places: int = game.places - (bots if game.status == Status.OPEN else 0)  # type: ignore[attr-defined]
    places_kept: int = game.kept  # type: ignore[attr-defined]
    places_taken: int = game.taken + places_kept  # type: ignore[attr-defined]
    head, variant = phase_head(phase) if phase else None, game.options.variant
    return GameCard(
        slug=game.slug,
        name=game.name,
        variant=game.variant_slug,
        variant_version=variant.version if variant else game.variant_version,
        variant_title=game.variant_title,
        board=variant.ref if variant else game.variant_slug,
        status=game.status,
        status_sentence=_status_sentence(game, places_taken, places, bots, head),
        verdict=game.verdict_sentence,
        winners=tuple(game.verdict["winners"]) if game.verdict else (),
        end=EndView(str(verdict.kind), facts_to_json(verdict.facts)) if (verdict := codec.verdict_of(game)) else None,
        gm_name="" if game.elsewhere else game.gm.get_username(),
        players=places,
        bots=bots,
        taken=places_taken,
        kept=places_kept,
        ordinal=head.ordinal if head else None,
        turn_title=head.title if head else "",
        kind_title=head.kind_title if head else "",
        deadline=head.deadline if head else None,
        remaining_seconds=head.remaining_seconds if head else None,
        everybody_is_ready=phase.in_window if phase else False,
        by_invitation=game.by_invitation,
        practice=game.practice,
        elsewhere=game.elsewhere is not None,
        my_power=mine.seat.power if mine else None,
        i_joined=i_joined,
        i_sit=i_sit,
        has_asked=has_asked,
        is_accepted=is_accepted,
        i_only_follow=i_only_follow,
        i_am_gm=game.is_run_by(user_id),
        roll_call_until=game.roll_call.deadline if hasattr(game, "roll_call") else None,
        options=GameOptionsView(game.options.terms(), game.options.shown()),
        created=game.created,
        repairs=game.repairs,  # type: ignore[attr-defined]
        unread=unread,
        wants=wants,
    )


def _status_sentence(game: Game, places_taken: int, places: int, bots: int, head: PhaseHead | None) -> str:
    sentence = ngettext(
        "Waiting for players: {taken} of {count} seat taken.",
        "Waiting for players: {taken} of {count} seats taken.",
        places,
    ).format(taken=places_taken, count=places)
    if places_taken == places and not game.kept:  # type: ignore[attr-defined]
        sentence = _("Every seat is taken. The game master can start the game.")
        if hasattr(game, "roll_call"):
            sentence = _("Every seat is taken. The game starts once everyone has confirmed.")
    elif bots:
        rest = ngettext("{count} bot will take the rest.", "{count} bots will take the rest.", bots)
        sentence = f"{sentence} {rest.format(count=bots)}"
    on_hold = _("The site’s moderators have put this game on hold. The public log says why. Nothing is lost.")
    if game.incident != MODERATORS:
        on_hold = _(
            "This game is on hold because its last phase could not be adjudicated (incident {incident}). Nothing is "
            "lost: the game continues once the problem has been fixed."
        ).format(incident=game.incident)
    sentences = {
        Status.OPEN: sentence,
        Status.RUNNING: f"{phase_words(head)}." if head else "",
        Status.PAUSED: _("The clock stands still. You can still save orders."),
        Status.HELD: on_hold,
    }
    return sentences.get(Status(game.status)) or game.verdict_sentence
