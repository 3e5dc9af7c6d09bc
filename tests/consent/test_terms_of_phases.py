"""What is saved for a phase is shown by the narrowest terms that were in force while it was open, right by right."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.consent.models import Asking
from games.consent.services import answer_request, change_terms
from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.game_options import GameOptions
from games.kernel.models import Game, OpenedBids
from games.kernel.queries import phase_head
from games.kernel.refusals import Refusal
from games.kernel.standpoint import Standpoint
from games.mastering.judging import preview_open_phase
from games.mastering.missing import missing_view
from games.mastering.services.correcting import correct_sheet, look_at_sheet, preview_correction, published_orders
from games.mastering.services.desk import close_game
from games.mastering.services.repair import roll_back
from games.orders.bids import look_at_all_bids, look_at_bids, look_at_bids_as_table
from games.orders.records import record_view
from games.sealed import store
from games.seating.services.new_game import store_game, take_seat
from tests.cast import CAROL, PLAYERS, person
from tests.factories import HOUR, open_phase, powers_of
from tests.story import Story
from variants.commands.replay import replay
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.django_db

ALL = frozenset({"gm_previews", "gm_sees_saved", "gm_sees_bids", "open_bids_at_end"})
NONE = frozenset[str]()
WHY = "A mistake."

Terms = frozenset[str]


def chosen(terms: Terms) -> dict[str, bool]:
    return {name: name in terms for name in ALL}


def game_with(terms: Terms, **options: Any) -> Game:
    """On the smallest board, with two players."""
    board = find("corridor")
    picked = GameOptions.create(board, movement_seconds=24 * HOUR, **chosen(terms), **options)
    game = store_game(person(CAROL).pk, "Corridor", board, picked, clock.now())
    for name, power in zip(PLAYERS, powers_of(game), strict=False):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    return Game.objects.get(pk=game.pk)


def agreed(game: Game, terms: Terms) -> Game:
    """Both players agree to these terms. The game as it is then."""
    change_terms(game_id=game.pk, by=game.gm_id, choices=chosen(terms))
    for name in PLAYERS[:2]:
        answer_request(game_id=game.pk, user_id=person(name).pk, number=Asking.objects.latest("pk").pk, agrees=True)
    return Game.objects.get(pk=game.pk)


def played(game: Game) -> None:
    """The fleet of Westland sails to the island, so that builds follow in the autumn."""
    phase, story = open_phase(game), Story(game)
    sails = {"S1901M": "F Wes-WBY", "F1901M": "F WBY-Isl"}
    if phase.turn in sails:
        story.order("WESTLAND", sails[phase.turn], "1: A Cor H")
    story.deadline()


def reopened(game: Game, ordinal: int) -> None:
    mark = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=game.gm_id, ordinal=ordinal, seen=mark, reason=WHY)


def corrected(game: Game, ordinal: int) -> None:
    """The army of Westland in another way than it was published."""
    lines = list(published_orders(game.phases.select_related("result").get(ordinal=ordinal), "WESTLAND"))
    lines[0] = "A Oak H" if lines[0].startswith("A OAK -") else "A Oak-Hil"
    mark = phase_head(open_phase(game)).mark
    about: dict[str, Any] = {"power": "WESTLAND", "ordinal": ordinal, "reason": WHY}
    correct_sheet(game_id=game.pk, by=game.gm_id, text="\n".join(lines), seen=mark, **about)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def is_done(act: Callable[[], object]) -> bool:
    """Or refused; nothing of it stays."""
    with undone():
        try:
            act()
        except (Refusal, store.NoAccessToSheet):
            return False
        return True


def published(game: Game) -> list[int]:
    with undone():
        close_game(game_id=game.pk, by=game.gm_id)
        return list(
            OpenedBids.objects.filter(phase__game=game)
            .order_by("phase__ordinal")
            .values_list("phase__ordinal", flat=True)
        )


def looked_at(game: Game) -> list[int]:
    """The phases whose bids the game master can look at."""
    ordinals = game.phases.filter(closed__isnull=False).order_by("ordinal").values_list("ordinal", flat=True)
    return [it for it in ordinals if is_done(partial(look_at_bids, game_id=game.pk, by=game.gm_id, ordinal=it))]


def in_all(game: Game) -> list[int]:
    with undone():
        try:
            return [phase.ordinal for phase in look_at_all_bids(game_id=game.pk, by=game.gm_id)]
        except Refusal:
            return []


def previewed(game: Game) -> bool:
    return is_done(lambda: preview_open_phase(game_id=game.pk, by=game.gm_id))


def shows_minors(game: Game) -> bool:
    """In a preview."""
    with undone():
        return not preview_open_phase(game_id=game.pk, by=game.gm_id).without_minors


def seen_saved(game: Game) -> bool:
    return is_done(lambda: missing_view(Standpoint(game, game.gm_id)))


# --- Each right, whatever happens ---


def shown(game: Game, ordinal: int) -> Terms:
    """What is shown of a phase, open or closed."""
    fresh = Game.objects.get(pk=game.pk)
    by_name = {
        "gm_sees_bids": ordinal in looked_at(fresh) and ordinal in in_all(fresh),
        "open_bids_at_end": ordinal in published(fresh),
        "gm_previews": previewed(fresh) and open_phase(fresh).ordinal == ordinal,
        "gm_sees_saved": seen_saved(fresh) and open_phase(fresh).ordinal == ordinal,
    }
    return frozenset(name for name, is_shown in by_name.items() if is_shown)


OF_OPEN, OF_CLOSED = frozenset({"gm_previews", "gm_sees_saved"}), frozenset({"gm_sees_bids", "open_bids_at_end"})


def test_what_was_hidden_for_a_moment_while_a_phase_was_open_stays_hidden() -> None:
    for right in sorted(ALL):
        game = game_with(ALL)
        agreed(game, ALL - {right})
        game = agreed(game, ALL)
        assert shown(game, 0) == OF_OPEN - {right}
        played(game)
        assert shown(game, 0) == OF_CLOSED - {right}
        assert shown(game, 1) == OF_OPEN, "the next phase was never under those terms"


def test_bids_made_while_the_game_master_could_not_look_stay_closed_after_terms_have_shown_less_and_more_again() -> (
    None
):
    game = game_with(ALL)
    played(game)
    agreed(game, NONE)
    played(game)
    played(game)
    game = agreed(game, ALL)
    assert (looked_at(game), in_all(game), published(game)) == ([0], [0], [0])
    assert not is_done(lambda: look_at_bids_as_table(game_id=game.pk, by=game.gm_id, ordinal=1))


@pytest.mark.parametrize("again", [reopened, corrected])
def test_a_phase_played_or_adjudicated_again_shows_no_more_than_it_did(again: Callable[[Game, int], None]) -> None:
    game = game_with(ALL)
    agreed(game, NONE)
    played(game)
    game = agreed(game, ALL)
    again(game, 0)
    assert not shown(game, 0)
    if again is reopened:
        played(game)
    assert not shown(game, 0)


def test_a_phase_that_was_wide_open_and_is_reopened_under_narrow_terms_is_as_narrow_as_these() -> None:
    game = game_with(ALL)
    played(game)
    agreed(game, NONE)
    reopened(game, 0)
    game = agreed(game, ALL)
    assert not shown(game, 0)
    played(game)
    assert not shown(game, 0)
    assert shown(game, 1) == OF_OPEN


def test_what_could_be_written_ahead_is_shown_no_more_than_the_moves() -> None:
    game = game_with(ALL)
    played(game)
    agreed(game, NONE)
    game = agreed(game, ALL)
    played(game)
    assert open_phase(game).turn.endswith("A")
    assert not shown(game, 2)
    played(game)
    assert not shown(game, 2)
    assert shown(game, 3) == OF_OPEN


def test_the_record_of_a_game_says_which_phases_stay_sealed_and_so_proves_itself() -> None:
    game = game_with(ALL)
    played(game)
    agreed(game, NONE)
    played(game)
    game = agreed(game, ALL)
    for _ in range(2):
        played(game)
    close_game(game_id=game.pk, by=game.gm_id)
    record = json.loads(json.dumps(record_view(access_game(user=person(CAROL), slug=game.slug))))
    assert [bool(phase["sheets"]) for phase in record["phases"]] == [True, False, False, True]
    assert replay(record).differences == []
    assert ["stays_sealed" in phase for phase in record["phases"]] == [False, True, True, False]
    record["phases"][0]["sheets"] = None
    assert len(replay(record).differences) == 1, "a phase that should be open"


def test_what_the_row_of_a_phase_does_not_say_is_refused() -> None:
    game = game_with(ALL, gm_corrects_bids=True)
    played(game)
    game.phases.update(reveals=[])
    assert [shown(game, ordinal) for ordinal in (0, 1)] == [NONE, NONE]
    about: dict[str, Any] = {"game_id": game.pk, "by": game.gm_id, "power": "WESTLAND", "ordinal": 0}
    bids: dict[str, Any] = {"text": "A Oak H\n2: A Cor H", "bids": True}
    assert not is_done(lambda: look_at_sheet(**about))
    assert not is_done(lambda: preview_correction(**about, **bids))


# --- The rule as a model ---


@dataclass
class Told:
    """A phase: all terms under which it was open, and all of those whose sheets it took along."""

    turn: str
    under: list[Terms]
    is_open: bool = True

    @property
    def kept(self) -> Terms:
        return frozenset.intersection(*self.under)


@dataclass
class Model:
    """A game as the rule says: its terms now, and its phases that count."""

    now: Terms
    phases: list[Told] = field(default_factory=list)

    def opens(self, turn: str, *, takes: list[Terms]) -> None:
        ahead = self.phases[-1].under if turn.endswith(("R", "A")) else []
        self.phases.append(Told(turn, [self.now, *takes, *ahead]))

    def changes(self, terms: Terms) -> None:
        self.now = terms
        self.phases[-1].under.append(terms)

    def shown(self, right: str, *, is_open: bool) -> list[int]:
        return [
            number
            for number, phase in enumerate(self.phases)
            if phase.is_open is is_open and right in self.now & phase.kept
        ]


TERMS = st.frozensets(st.sampled_from(sorted(ALL)))
STEPS = st.one_of(
    st.tuples(st.just("terms"), TERMS),
    st.tuples(st.just("deadline"), st.none()),
    st.tuples(st.sampled_from(["reopened", "corrected"]), st.integers(0, 5)),
)


def take(step: tuple[str, Any], game: Game, model: Model) -> None:
    act, what = step
    if act == "terms":
        if what != model.now:
            agreed(game, what)
            model.changes(what)
        return
    takes: list[Terms] = []
    if act == "deadline":
        played(game)
        model.phases[-1].is_open = False
    else:
        ordinals = [n for n, it in enumerate(model.phases) if not it.is_open and it.turn.endswith("M")]
        if not ordinals:
            return
        ordinal = ordinals[what % len(ordinals)]
        undone = model.phases[ordinal]
        if act == "reopened":
            reopened(game, ordinal)
            takes = undone.under
            del model.phases[ordinal:]
        else:
            corrected(game, ordinal)
            del model.phases[ordinal + 1 :]
    model.opens(open_phase(game).turn, takes=takes)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(first=TERMS, steps=st.lists(STEPS, min_size=3, max_size=9))
def test_in_every_sequence_each_right_follows_the_narrowest_terms(first: Terms, steps: list[tuple[str, Any]]) -> None:
    with undone():
        game, model = game_with(first), Model(first)
        model.opens("S1901M", takes=[])
        for step in steps:
            take(step, game, model)
        game = Game.objects.get(pk=game.pk)
        here, now = model.phases, open_phase(game).ordinal
        assert [it.turn for it in here] == list(game.phases.order_by("ordinal").values_list("turn", flat=True))
        bids = [it for it in model.shown("gm_sees_bids", is_open=False) if here[it].turn.endswith("M")]
        assert looked_at(game) == bids
        assert in_all(game) == bids
        assert published(game) == model.shown("open_bids_at_end", is_open=False)
        assert [now] * previewed(game) == model.shown("gm_previews", is_open=True)
        if previewed(game):
            assert [now] * shows_minors(game) == model.shown("gm_sees_bids", is_open=True)
        assert [now] * seen_saved(game) == model.shown("gm_sees_saved", is_open=True)
