"""What an act puts something else in place of: nobody overwrites what their page did not show, whichever act it is."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django import forms
from django.urls import get_resolver, reverse
from django.utils import timezone

from games.kernel.refusals import WrongMoment
from games.mastering.acts import ACTS as BY_MASTERS
from games.pages.acts import ACTS as BY_PLAYERS
from games.tournaments import desk, seating, services
from games.tournaments.acts import BY_DIRECTORS, BY_ENTRANTS
from games.tournaments.desk import AT_TABLES
from games.tournaments.elsewhere import claim, type_table
from games.tournaments.models import Claim, Place, Round, Tournament
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, TEN, person
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament
from tests.tournaments.sending import Forms
from tests.tournaments.test_ceremony import over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]
SAM = "sam"

# --- No act and no form is forgotten ---

LOSES_NOTHING = {
    "it adds to what is there": (
        *(
            "add_director",
            "add_holiday",
            "add_round",
            "ask_for_seat",
            "ask_to_join",
            "book_days",
            "days",
            "enter",
            "invite",
        ),
        *("join", "mail", "message", "propose", "put_game", "rematch", "remind", "webhook", "write"),
    ),
    "it fills what is empty, and is refused where somebody was there first": (
        *("choose_seat", "fill", "give_place", "hand_over", "name_assistant", "name_sitter", "own_bot", "place"),
        *("take_seat", "come_back"),
    ),
    "it only starts, ends or passes what it names, or is refused": (
        *("answer_assist", "answer_asking", "answer_hand_over", "answer_offer", "answer_request", "cancel_days"),
        *(
            "cancel_roll_call",
            "close",
            "consent",
            "declare",
            "delete",
            "delete_round",
            "dismiss_assistant",
            "end",
            "finish",
        ),
        *("give_back", "pause", "publish", "remove", "remove_table", "resume", "start", "start_anyway", "take_back"),
        *(
            "take_bot_out",
            "take_out",
            "withdraw_invitation",
            "withdraw_mailed",
            "withdraw_proposal",
            "withdraw_request",
        ),
    ),
    "it only looks": ("look", "look_at_all_bids", "look_at_bids", "look_at_sheet", "preview", "preview_correction"),
    "only its writer has it, who says it anew": (
        *("change_wishes", "check_in", "choose_to_play", "claim", "confirm", "leave", "let_gm_enter", "resign"),
        *("step_down", "stop_bot", "stop_directing", "vote", "withdraw", "write_statement"),
    ),
    "what entrants had said is told to nobody": ("set_check_in",),
    "its page names what it showed by itself: see test_meanwhile, or below": (
        *("change", "change_round", "change_terms", "plan", "seat of a round", "substitute", "type_table", "wish"),
    ),
}
FORMS = {
    "it adds to what is there": (
        *("AbsenceForm", "AddPasskeyForm", "BringForm", "DeviceForm", "FileForm", "MessageForm", "ProposalForm"),
        *("ReportForm", "RosterForm", "SignUpLinkForm", "SignupForm", "TalkForm", "TokenForm", "WebhookForm"),
    ),
    "it only finds, or opens what is one's own": (
        *("ArchiveSearch", "FindAccountForm", "LobbyFilter", "LoginForm", "SecondFactorForm"),
    ),
    "only one person has it, who sets it anew": (
        *("DeleteAccountForm", "MailForm", "ProfileForm", "PushForm", "PushHereForm", "SitterForm", "StandbyForm"),
        *("TopicsForm", "UsernameForm", "WishForm"),
    ),
    "moderators act on what they name, and it is recorded": (
        *("AccountsForm", "ModerateForm", "ReasonForm", "StopGameForm", "SuspendForm"),
    ),
    "its acts are above": ("TablesForm",),
    "its page names what it showed": (
        *("EntryForm", "NotesForm", "PlanForm", "RoundForm", "RulingForm", "SeriesForm", "SubstituteForm"),
        *("TournamentForm",),
    ),
    "it is a part of the form of a game, which is new, or whose page names what it showed": (
        *("FirstGroup", "Group", "SectionGroup", "WhenGroup"),
    ),
}
"""The forms that are not made of acts, by the reason why they overwrite nothing that nobody has seen."""


def listed(reasons: dict[str, tuple[str, ...]]) -> list[str]:
    return sorted(name for names in reasons.values() for name in names)


def test_each_act_names_what_it_replaces_or_can_lose_nothing() -> None:
    acts = {
        **BY_PLAYERS,
        **BY_ENTRANTS,
        **BY_DIRECTORS,
        **BY_MASTERS,
        **AT_TABLES,
        "seat of a round": BY_DIRECTORS["seat"],
    }
    unsaid = [name for name, act in acts.items() if not act.replaces and "seen" not in act.arguments]
    assert listed(LOSES_NOTHING) == sorted(unsaid), "say what it `replaces`, or here why it can lose nothing"


def test_each_form_names_what_it_replaces_or_can_lose_nothing() -> None:
    def below(kind: type[forms.BaseForm]) -> Iterator[type[forms.BaseForm]]:
        for deeper in kind.__subclasses__():
            yield from (deeper, *below(deeper))

    assert get_resolver().url_patterns, "all forms are read"
    ours = {it for it in below(forms.BaseForm) if it.__module__.startswith(("games.", "diplomacy_site."))}
    assert listed(FORMS) == sorted(it.__name__ for it in ours if it.__name__ != "ActForm")


# --- Two people with the same page ---


class Shared(NamedTuple):
    """A page with a form, known by some of its fields, where it is sent, who edit it, what the one and then the other
    change, and what is stored."""

    page: str
    to: str
    known: dict[str, str]
    people: tuple[str, str]
    first: dict[str, Any]
    then: dict[str, Any]
    stored: Callable[[], object]


def of_game(
    verb: str, first: dict[str, Any], then: dict[str, Any], read: Callable[[Game], object], **known: str
) -> Shared:
    game = running_game(gm_processes_early=True)
    page = address("gm", game)

    def stored() -> object:
        game.refresh_from_db()
        return read(game)

    return Shared(page, f"{page}{verb}/", known, (CAROL, CAROL), first, then, stored)


def deadline(game: Game) -> object:
    return game.phases.get(closed__isnull=True).deadline


def later_by(days: int) -> dict[str, str]:
    moment = timezone.now() + timedelta(days=days)
    return {"until": moment.strftime("%Y-%m-%dT12:00"), "reason": ""}


def name_of_a_game() -> Shared:
    return of_game("rename", {"name": "Rapallo"}, {"name": "Stresa"}, lambda game: game.name, name="")


def deadline_of_a_game() -> Shared:
    return of_game("set_deadline", later_by(2), later_by(3), deadline, seconds="86400")


def longer_deadline() -> Shared:
    return of_game("extend", {"seconds": "3600"}, {"seconds": "86400"}, deadline, seconds="86400")


def player_of_a_seat() -> Shared:
    person(DAVE), person(SAM)

    def holder(game: Game) -> object:
        return game.occupancies.get(seat__power="FRANCE", until__isnull=True).user.username

    one, other = ({"username": name, "reason": "So."} for name in (DAVE, SAM))
    return of_game("seat", one, other, holder, power="FRANCE", username="")


def removed_player() -> Shared:
    person(DAVE)

    def holder(game: Game) -> object:
        held = game.occupancies.filter(seat__power="FRANCE", until__isnull=True).first()
        return held and held.user.username

    it = of_game("empty", {}, {"reason": "So."}, holder, power="FRANCE", username="")
    return it._replace(first={"username": DAVE, "reason": "So.", "to": it.to.replace("empty", "seat")})


def with_two_directors(**terms: Any) -> Tournament:
    made = tournament(team_best=0, **terms)
    services.add_director(tournament_id=made.pk, by=person(CAROL).pk, username=person(DAVE).username)
    return made


def of_tournament(
    made: Tournament,
    page: str,
    to: str,
    first: dict[str, Any],
    then: dict[str, Any],
    stored: Callable[[], object],
    **known: str,
) -> Shared:
    return Shared(page, to, known, (CAROL, DAVE), first, then, stored)


def managed(verb: str, made: Tournament, *rest: Any, **known: Any) -> Shared:
    page, to = reverse("games:manage-tournament", args=[made.slug]), reverse(f"games:do-{verb}", args=[made.slug])
    return of_tournament(made, page, to, *rest, **known)


def place_of_an_entrant() -> Shared:
    made = with_two_directors()
    (alice,) = entered(made, [ALICE])

    def read() -> object:
        alice.refresh_from_db()
        return alice.place, alice.team

    first, then = {"team": "Reds"}, {"place": Place.SUBSTITUTE.value}
    return managed("set_place", made, first, then, read, username=ALICE)


def call_to_check_in() -> Shared:
    made = with_two_directors()
    Round.objects.create(tournament=made, number=1, terms=terms_of_round("First").to_json())
    return managed(
        "call_check_in", made, later_by(3), later_by(2), lambda: made.rounds.get().check_in_until, number="1"
    )


def claim_to_a_name() -> Shared:
    made = with_two_directors()
    Round.objects.create(tournament=made, number=1, terms=terms_of_round("First", variants=["standard"]).to_json())
    powers = ("England", "France", "Germany", "Italy", "Russia", "Turkey")
    lines = ["Austria, Ann Lee, 4", "England, Bob Ray, 4", *(f"{power}, , 4" for power in powers[1:])]
    type_table(tournament_id=made.pk, by=person(CAROL).pk, number=1, text="\n".join(lines))
    claims = partial(claim, tournament_id=made.pk, by=person(ALICE).pk)
    claims(name="Ann Lee")
    it = managed(
        "answer_claim", made, {}, {"agrees": "true"}, lambda: [*Claim.objects.values_list("name")], username=ALICE
    )
    return it._replace(first={"does": partial(claims, name="Bob Ray")})


def ruling() -> Shared:
    made, game = with_two_directors(), running_game()
    seated(made, game)
    entered(made, [ALICE])
    page = reverse("games:tournament-desk", args=[made.slug])
    sent = {"do": "rule", "user": str(person(ALICE).pk), "table": "", "reason": "So."}
    first, then = ({**sent, "points": points} for points in ("5", "7"))
    return of_tournament(made, page, page, first, then, lambda: [*made.rulings.values_list("points")], points="")


def typed_table() -> Shared:
    it = claim_to_a_name()
    made = Tournament.objects.get()
    table: Any = made.rounds.get().tables.get()
    page = reverse("games:type-table", args=[made.slug, 1]) + f"?table={table.pk}"
    text = table.outcome["text"]
    first, then = ({"text": text.replace("Ann Lee", name)} for name in ("Cy Low", "Di Fox"))

    def read() -> object:
        table.refresh_from_db()
        return table.outcome["holders"]["AUSTRIA"]

    return it._replace(page=page, to=page, known={}, first=first, then=then, stored=read)


def plan_of_a_round() -> Shared:
    made = with_two_directors(rounds=1, directors_play=True)
    entered(made, TEN[:7])
    Round.objects.create(tournament=made, number=1, terms=terms_of_round("First", variants=["standard"]).to_json())
    for name in (CAROL, DAVE):
        visitor(name).post(reverse("games:do-look", args=[made.slug]))
    plan = partial(seating.ask_for_plan, tournament_id=made.pk, by=person(CAROL).pk, number=1)
    plan(seed=1)
    seating.make_plans()
    page = reverse("games:plan", args=[made.slug, 1])
    it = of_tournament(made, page, page, {}, {"seat": "yes"}, lambda: made.rounds.get().seated is not None, seed="")

    def plans_again() -> None:
        plan(seed=2)
        seating.make_plans()

    return it._replace(first={"does": plans_again})


CASES = [
    *(name_of_a_game, deadline_of_a_game, longer_deadline, player_of_a_seat, removed_player, place_of_an_entrant),
    *(call_to_check_in, claim_to_a_name, ruling, typed_table, plan_of_a_round),
]


def form_of(it: Shared, name: str) -> dict[str, Any]:
    """The fields of the form as this person's page has them now."""
    found = Forms(visitor(name).get(it.page).content.decode()).found
    marked = [form.fields for form in found if {"instead_of", "seen"} & form.fields.keys()]
    return next(each for each in marked if all(each.get(key) == [value] for key, value in it.known.items()))


def send(it: Shared, name: str, fields: dict[str, Any], sent: dict[str, Any]) -> int:
    """The status of the answer."""
    return visitor(name).post(sent.get("to", it.to), {**fields, **sent}).status_code


@pytest.mark.parametrize("case", CASES, ids=lambda it: it.__name__)
def test_nobody_replaces_what_their_page_did_not_show(case: Callable[[], Shared]) -> None:
    it = case()
    one, other = it.people
    of_one, of_other = form_of(it, one), form_of(it, other)
    if "does" in it.first:
        it.first["does"]()
    else:
        assert send(it, one, of_one, it.first) == HTTPStatus.SEE_OTHER
    stored = it.stored()
    send(it, other, of_other, it.then)
    assert it.stored() == stored, "what the other has not seen stays"
    send(it, other, form_of(it, other), it.then)
    assert it.stored() != stored, "once they have seen it"


def test_what_was_refused_comes_back_without_what_the_page_had_shown() -> None:
    it = place_of_an_entrant()
    one, other = it.people
    client = visitor(other)
    page = client.get(it.page).content.decode()
    fields = next(form.fields for form in Forms(page).found if form.fields.get("username") == [ALICE])
    send(it, one, form_of(it, one), it.first)
    shown = client.post(it.to, {**fields, **it.then}, follow=True).content.decode()
    assert "Somebody has changed this since you opened the page." in shown
    assert shown.count('name="instead_of"') == page.count('name="instead_of"')


def test_a_seat_is_not_taken_from_someone_whom_the_desk_did_not_show() -> None:
    made, game = with_two_directors(), running_game()
    (table,) = seated(made, game)
    entered(made, [SAM], Place.SUBSTITUTE)
    page = reverse("games:tournament-desk", args=[made.slug])
    carol = visitor(CAROL)
    chosen = f"{table.pk}:FRANCE={game.occupancies.get(seat__power='FRANCE').user.username}"
    assert f'value="{chosen}"' in carol.get(page).content.decode()
    sent = {"do": "substitute", "to": str(person(SAM).pk), "reason": "So."}
    assert carol.post(page, {**sent, "seat": f"{table.pk}:FRANCE=dave"}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert carol.post(page, {**sent, "seat": chosen}).status_code == HTTPStatus.SEE_OTHER


def test_somebody_who_is_added_has_not_entered_meanwhile() -> None:
    made = with_two_directors()
    page, to = reverse("games:manage-tournament", args=[made.slug]), reverse("games:do-set_place", args=[made.slug])
    fields = next(form.fields for form in Forms(visitor(CAROL).get(page).content.decode()).found if form.action == to)
    (bob,) = entered(made, [BOB])
    visitor(CAROL).post(to, {**fields, "username": BOB, "place": Place.SUBSTITUTE.value})
    bob.refresh_from_db()
    assert bob.place == Place.IN


def test_a_ruling_that_has_replaced_another_is_not_taken_back_for_it() -> None:
    it = over()
    rule = partial(desk.rule, tournament_id=it.pk, by=person(CAROL).pk, user=person(ALICE).pk, reason="So.")
    table = it.rounds.get().tables.get().pk
    rule(points=Decimal(5), table=table)
    seen = it.rulings.get().pk
    rule(points=Decimal(7), table=table)
    with pytest.raises(WrongMoment):
        desk.undo_ruling(tournament_id=it.pk, by=person(CAROL).pk, number=seen)
    assert it.rulings.get().points == 7
