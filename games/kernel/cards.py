"""Public reads: the cards of games in lists. Nothing here knows a sealed sheet."""

from collections.abc import Collection

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404

from adjudication.english import amount
from adjudication.words import phase_words
from games.kernel.hooks import unread_by_game
from games.kernel.models import MODERATORS, Event, Game, Joiner, Occupancy, Phase, Status
from games.kernel.news import LINES, Topic
from games.kernel.parts import GameCard, GameOptionsView, PhaseHead
from games.kernel.queries import LIVE_SECONDS, NOBODY, head_of

MOST_CARDS = 50
PACES = {"live": "Live, in an evening", "slow": "Over days and weeks"}


def invitation(token: str) -> str:
    """The slug of the game that an invitation link is for; Http404 if there is none."""
    game = Game.objects.filter(by_invitation=True, invitation=token).first()
    if game is None:
        raise Http404
    return game.slug


def narrowed(games: QuerySet[Game], *, variant: str = "", press: str = "", pace: str = "") -> QuerySet[Game]:
    """Only the games of this variant, with this press, at this pace (a key of PACES); an empty one is ignored."""
    if variant:
        games = games.filter(variant_slug=variant)
    if press:
        games = games.filter(stored_options__press=press)
    if pace:
        live = Q(stored_options__movement_seconds__lt=LIVE_SECONDS)
        games = games.filter(live if pace == "live" else ~live)
    return games


def cards(games: QuerySet[Game], *, user_id: int | None, sits_in: Collection[int] = ()) -> tuple[GameCard, ...]:
    """Cards of these games, at most 50, as this user sees them; `sits_in`: games where they sit for a player."""
    seated = Q(occupancies__until__isnull=True, occupancies__isnull=False)
    mine = Occupancy.objects.filter(user_id=user_id or NOBODY, until__isnull=True).select_related("seat")
    rows = games.select_related("gm", "roll_call").annotate(
        places=Count("seats", distinct=True),
        taken=Count("occupancies", filter=seated, distinct=True) + Count("joiners", distinct=True),
    )
    kinds = [kind for kind, news in LINES.items() if news.topic == Topic.REPAIR]
    repairs = Event.objects.filter(game=OuterRef("pk"), kind__in=kinds).order_by().values("game")
    rows = rows.annotate(repairs=Coalesce(Subquery(repairs.annotate(n=Count("pk")).values("n")), 0))
    rows = rows.prefetch_related(
        Prefetch("phases", Phase.objects.filter(closed__isnull=True).defer("position"), to_attr="open_now"),
        Prefetch("occupancies", mine, to_attr="my_seats"),
        Prefetch("joiners", Joiner.objects.filter(user_id=user_id or NOBODY), to_attr="my_joining"),
    )
    found = list(rows[:MOST_CARDS])
    written_to = [game.pk for game in found if game.my_seats or game.gm_id == user_id or game.pk in sits_in]
    (unread,) = unread_by_game(user_id, written_to)
    return tuple(_card(game, user_id, unread.get(game.pk, 0), i_sit=game.pk in sits_in) for game in found)


def _card(game: Game, user_id: int | None, unread: int, *, i_sit: bool) -> GameCard:
    """The card for a row with the annotations and prefetches of `cards`."""
    phase: Phase | None = next(iter(game.open_now), None)  # type: ignore[attr-defined]
    mine: Occupancy | None = next(iter(game.my_seats), None)  # type: ignore[attr-defined]
    taken: int = game.taken  # type: ignore[attr-defined]
    places: int = game.places  # type: ignore[attr-defined]
    head = head_of(phase) if phase else None
    variant = game.options.variant
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
        roll_call_until=game.roll_call.deadline if hasattr(game, "roll_call") else None,
        options=GameOptionsView(game.options.terms(), game.options.shown()),
        created=game.created,
        repairs=game.repairs,  # type: ignore[attr-defined]
        unread=unread,
    )


def _status_sentence(game: Game, taken: int, places: int, head: PhaseHead | None) -> str:
    sentences = {
        Status.OPEN: f"Waiting for players: {taken} of {amount(places, 'seat')} taken.",
        Status.RUNNING: f"{phase_words(head)}." if head else "",
        Status.PAUSED: "Paused by the game master. You can still save orders.",
        Status.HELD: _held_sentence(game),
    }
    return sentences.get(Status(game.status)) or (game.verdict or {}).get("sentence", "")


def _held_sentence(game: Game) -> str:
    if game.incident == MODERATORS:
        return "The site’s moderators have put this game on hold. The log says why. Nothing is lost."
    return (
        f"This game is on hold because its last phase could not be adjudicated (incident {game.incident}). "
        "Nothing is lost: it continues once someone has looked into it."
    )
