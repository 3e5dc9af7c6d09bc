"""Ending a game by agreement: proposals, votes, and their outcome."""

from __future__ import annotations

import pytest
from django.core import mail
from django.db import IntegrityError, transaction

from games.deadlines.news import GAME_OVER
from games.deadlines.phases import close_due_phase
from games.delivery.letters import deliver_letters
from games.endings.models import EndKind, Fate, Statement
from games.endings.news import END_PROPOSED
from games.endings.options import Draws
from games.endings.services import propose_end, vote_on_proposal, withdraw_proposal, write_statement
from games.kernel import clock, codec
from games.kernel.models import Game, Letter, Phase, Status
from games.kernel.refusals import BadGame, BadMessage, BadProposal, NotAllowed, WrongMoment
from games.mastering.services import desk as game_master
from games.people.moderation import release_game, stop_game
from games.seating.services.new_game import let_bot_play, take_over_from_bot
from games.seating.services.vacancies import resign, take_over_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db

THREE = "three-way-balkan-battle"
A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"


def game_of_three(**options: object) -> Game:
    """Alice plays Austria, Bob Russia, Fritz Turkey."""
    return running_game(variant=THREE, players=PLAYERS[:3], **options)


def draw(game: Game, by: str, *powers: str) -> bool:
    return propose_end(occupancy_id=occupancy_of(game, by).pk, kind=EndKind.DRAW, powers=powers)


def concede(game: Game, by: str, *powers: str) -> bool:
    return propose_end(occupancy_id=occupancy_of(game, by).pk, kind=EndKind.CONCESSION, powers=powers)


def say(game: Game, power: str, number: int = 1, *, agrees: bool = True) -> bool:
    return vote_on_proposal(occupancy_id=occupancy_of(game, power).pk, number=number, agrees=agrees)


def verdict(game: Game) -> tuple[str, list[str], str]:
    game.refresh_from_db()
    assert game.verdict is not None
    return game.status, game.verdict["winners"], game.verdict_sentence


def under_way(game: Game) -> bool:
    game.refresh_from_db()
    return game.status == Status.RUNNING and game.phases.filter(closed__isnull=True).count() == 1


def log(game: Game) -> list[str]:
    return [event.sentence for event in Story(game).seen_by(DAVE).events]


def wipe_out(game: Game, power: str) -> None:
    """Remove all of this power's units and centres."""
    phase = open_phase(game)
    phase.position["units"].pop(power)
    phase.position["centres"] = {at: who for at, who in phase.position["centres"].items() if who != power}
    phase.save()


def test_a_draw_is_agreed_when_all_agree_and_the_open_phase_closes_without_a_result() -> None:
    game = game_of_three()
    assert not draw(game, A, A, R, T)
    assert not say(game, R)
    assert under_way(game)
    assert say(game, T)
    assert verdict(game) == ("finished", [A, R, T], "All players agreed on a draw between Austria, Russia and Turkey.")
    phase = game.phases.get()
    assert phase.closed is not None
    assert not hasattr(phase, "result")
    assert Letter.objects.filter(kind=GAME_OVER.letter, game=game).count() == 4
    assert log(game)[0] == "The game ended. All players agreed on a draw between Austria, Russia and Turkey."
    assert game.proposals.get().fate == Fate.AGREED
    with pytest.raises(WrongMoment, match="over"):
        say(game, T, agrees=False)


def test_all_may_concede_to_one_power_or_to_an_alliance() -> None:
    one = game_of_three()
    concede(one, T, A)
    say(one, A)
    assert say(one, R)
    assert verdict(one) == ("finished", [A], "All conceded the game to Austria.")
    both = game_of_three(name="Alliance")
    concede(both, T, R, A)
    say(both, A)
    assert say(both, R)
    assert verdict(both)[1:] == ([A, R], "All conceded the game to Austria and Russia, who win together.")


def test_a_draw_vote_survives_the_phase_it_was_cast_in() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    say(game, R)
    Story(game).deadline()
    Story(game).deadline()
    (proposal,) = Story(game).seen_by("bob").agreement.proposals
    assert (proposal.turn_title, proposal.my_vote) == ("Spring 1899", True)
    assert say(game, T)
    assert verdict(game)[0] == Status.FINISHED


def test_an_eliminated_powers_vote_blocks_nothing() -> None:
    game = game_of_three()
    draw(game, A, A, R)
    say(game, T, agrees=False)
    wipe_out(game, T)
    with pytest.raises(NotAllowed, match="neither a unit nor a supply centre"):
        say(game, T, agrees=False)
    view = Story(game).seen_by("fritz").agreement
    assert view is not None
    assert not view.i_vote
    assert view.silent == ("Turkey has no vote: it has neither a unit nor a supply centre left.",)
    assert say(game, R)
    assert verdict(game)[1] == [A, R]


def test_the_elimination_of_the_last_who_refused_ends_the_game_with_the_phase_that_brings_it() -> None:
    game = game_of_three()
    draw(game, A, A, R)
    say(game, R)
    wipe_out(game, T)
    assert under_way(game)
    Story(game).deadline()
    assert verdict(game)[1] == [A, R]
    assert game.phases.get().result is not None
    assert Story(game).seen_by(DAVE).final


def test_a_proposal_falls_away_when_a_power_it_names_is_eliminated_and_the_log_says_so() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    concede(game, R, A)
    wipe_out(game, T)
    Story(game).deadline()
    assert under_way(game)
    assert [proposal.fate for proposal in game.proposals.order_by("number")] == [Fate.FALLEN, Fate.OPEN]
    assert log(game)[0] == (
        "The proposal of a draw between Austria, Russia and Turkey lapsed "
        "because it names a power that is no longer in the game."
    )
    with pytest.raises(WrongMoment, match="no longer open"):
        say(game, R)


def test_a_draw_agreed_while_the_phase_waits_to_be_judged_leaves_nothing_to_judge() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    say(game, R)
    due = Story(game).deadline_comes()
    assert say(game, T)
    assert not close_due_phase(phase_id=due.pk)
    assert verdict(game)[0] == Status.FINISHED
    assert Phase.objects.filter(game=game).count() == 1


def test_a_vote_may_be_changed_until_the_proposal_is_agreed() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    say(game, A, agrees=False)
    say(game, R)
    assert not say(game, T)
    assert under_way(game)
    assert say(game, A)
    assert verdict(game)[0] == Status.FINISHED


def test_a_newcomer_in_a_seat_has_not_voted() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    say(game, R)
    game_master.seat_player(
        game_id=game.pk, by=person(CAROL).pk, power=R, username=person(DAVE).username, reason="Agreed."
    )
    assert not say(game, T)
    assert under_way(game)
    (proposal,) = Story(game).seen_by(DAVE).agreement.proposals
    assert proposal.my_vote is None
    with pytest.raises(NotAllowed, match="no seat"):
        vote_on_proposal(occupancy_id=game.occupancies.get(user=person("bob")).pk, number=1, agrees=True)
    assert say(game, R)
    assert verdict(game)[0] == Status.FINISHED


def test_a_seat_in_permanent_civil_disorder_has_no_vote_and_the_rest_is_counted_at_once() -> None:
    """1926, D13."""
    game = game_of_three()
    draw(game, A, A, R)
    say(game, R)
    game_master.declare_civil_disorder(game_id=game.pk, by=person(CAROL).pk, power=T)
    assert verdict(game)[1:] == ([A, R], "All players agreed on a draw between Austria and Russia.")
    assert game.phases.get().closed is not None


def test_a_player_with_a_bot_has_no_vote_until_they_take_over() -> None:
    game = game_of_three()
    bot = occupancy_of(game, T)
    let_bot_play(occupancy_id=bot.pk)
    view = Story(game).seen_by("fritz").agreement
    assert view is not None
    assert not view.i_vote
    assert view.silent == ("Turkey has no vote: a bot is playing it and accepts anything the others agree on.",)
    with pytest.raises(NotAllowed, match="Stop the bot first"):
        draw(game, T, A, R, T)
    draw(game, A, A, R)
    take_over_from_bot(occupancy_id=bot.pk)
    assert not say(game, R)
    let_bot_play(occupancy_id=bot.pk)
    assert verdict(game)[1] == [A, R]


def test_a_vacant_seat_has_no_vote() -> None:
    game = game_of_three()
    occupancy = occupancy_of(game, T)
    occupancy.until = clock.now()
    occupancy.save()
    draw(game, A, A, R, T)
    view = Story(game).seen_by(DAVE).agreement
    assert view is not None
    assert view.silent == ("Turkey has no vote: it is vacant.",)
    assert [card.name for card in view.voters] == ["Austria", "Russia"]
    assert say(game, R)


def test_those_who_stay_give_the_game_to_nobody_while_half_of_it_is_vacant() -> None:
    """Votes are kept until the seats are taken again. Bots go along, so that a demonstration can end."""
    game = game_of_three()
    for power in (R, T):
        resign(game_id=game.pk, user_id=occupancy_of(game, power).user_id)
    assert not concede(game, A, A)
    view = Story(game).seen_by(DAVE).agreement
    assert view is not None
    assert not view.enough
    take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power=R)
    assert under_way(game)
    let_bot_play(occupancy_id=occupancy_of(game, R).pk)
    assert verdict(game)[1] == [A]


def test_nobody_ends_a_game_that_the_moderators_have_stopped() -> None:
    """A player who leaves in the meantime has no vote when the game resumes."""
    game, moderator = game_of_three(), person(CAROL).pk
    draw(game, A, A, R, T)
    say(game, R)
    stop_game(by=moderator, slug=game.slug, reason="Two accounts of one person.")
    with pytest.raises(WrongMoment, match="site’s moderators have put this game on hold"):
        say(game, T)
    with pytest.raises(WrongMoment, match="site’s moderators have put this game on hold"):
        concede(game, T, A)
    resign(game_id=game.pk, user_id=occupancy_of(game, T).user_id)
    game.refresh_from_db()
    assert game.status == Status.HELD
    release_game(by=moderator, slug=game.slug, reason="They are two people.")
    assert verdict(game)[1] == [A, R, T]


def test_a_proposal_is_withdrawn_by_the_power_that_made_it() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    with pytest.raises(NotAllowed, match="that made a proposal"):
        withdraw_proposal(occupancy_id=occupancy_of(game, R).pk, number=1)
    withdraw_proposal(occupancy_id=occupancy_of(game, A).pk, number=1)
    assert log(game)[0] == "Austria withdrew its proposal of a draw between Austria, Russia and Turkey."
    with pytest.raises(WrongMoment, match="no longer open"):
        say(game, R)
    with pytest.raises(NotAllowed, match="no such proposal"):
        say(game, R, 7)
    draw(game, A, A, R, T)
    assert [proposal.number for proposal in game.proposals.order_by("number")] == [1, 2]


def test_secret_votes_are_in_no_log_and_shown_to_their_owner_only() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    before = log(game)
    say(game, R, agrees=False)
    assert log(game) == before
    for viewer, own in (("alice", True), ("bob", False), ("fritz", None), (DAVE, None), (CAROL, None)):
        (proposal,) = Story(game).seen_by(viewer).agreement.proposals
        assert (proposal.my_vote, proposal.ballots) == (own, ())


def test_open_votes_are_logged_and_shown_to_all() -> None:
    game = game_of_three(open_votes=True)
    draw(game, A, A, R, T)
    say(game, R, agrees=False)
    say(game, R, agrees=False)
    assert log(game)[:2] == [
        "Russia refused a draw between Austria, Russia and Turkey.",
        "Austria proposed a draw between Austria, Russia and Turkey.",
    ]
    (proposal,) = Story(game).seen_by(DAVE).agreement.proposals
    assert [(ballot.power.name, ballot.agrees) for ballot in proposal.ballots] == [
        ("Austria", True),
        ("Russia", False),
        ("Turkey", None),
    ]


def test_a_proposal_in_a_game_of_hidden_names_names_powers_and_no_people() -> None:
    game = game_of_three(hidden_names=True, open_votes=True)
    draw(game, A, A, R, T)
    say(game, R)
    shown = repr(Story(game).seen_by("fritz").agreement) + " ".join(log(game)[:2])
    assert "alice" not in shown
    assert "bob" not in shown


def test_those_who_have_a_vote_are_written_to_but_not_the_proposer() -> None:
    game = game_of_three()
    let_bot_play(occupancy_id=occupancy_of(game, T).pk)
    draw(game, A, A, R)
    letters = Letter.objects.filter(game=game, kind=END_PROPOSED.letter)
    assert [letter.user.get_username() for letter in letters] == ["bob"]


def test_the_letter_says_what_is_proposed_as_long_as_it_is() -> None:
    game = game_of_three()
    deliver_letters()
    draw(game, A, A, R)
    mail.outbox.clear()
    deliver_letters()
    assert sorted(letter.to[0] for letter in mail.outbox) == ["bob@example.org", "fritz@example.org"]
    assert mail.outbox[0].subject == "Locarno: a proposal to end the game"
    assert "Austria proposes a draw between Austria and Russia." in str(mail.outbox[0].body)
    withdraw_proposal(occupancy_id=occupancy_of(game, A).pk, number=1)
    concede(game, R, A)
    withdraw_proposal(occupancy_id=occupancy_of(game, R).pk, number=2)
    mail.outbox.clear()
    deliver_letters()
    assert {str(letter.body).split("\n")[0] for letter in mail.outbox} == {"Locarno: The proposal is no longer open."}


@pytest.mark.parametrize(
    ("draws", "kind", "powers", "sentence"),
    [
        (Draws.ANY, EndKind.DRAW, (A,), "at least two powers"),
        (Draws.ANY, EndKind.DRAW, (), "Choose powers that still have"),
        (Draws.ANY, EndKind.DRAW, (A, "FRANCE"), "Choose powers that still have"),
        (Draws.ANY, EndKind.CONCESSION, (A, R, T), "Propose a draw between all"),
        (Draws.ANY, "surrender", (A,), "a draw or a concession"),
        (Draws.ALL, EndKind.DRAW, (A, R), "must include all remaining powers"),
        (Draws.ALL, EndKind.CONCESSION, (A, R), "only concede to one power"),
        (Draws.NONE, EndKind.DRAW, (A, R, T), "no draws by agreement"),
        (Draws.NONE, EndKind.CONCESSION, (A, R), "only concede to one power"),
    ],
)
def test_what_a_game_does_not_allow_is_refused_in_words(
    draws: str, kind: str, powers: tuple[str, ...], sentence: str
) -> None:
    game = game_of_three(draws=draws)
    with pytest.raises(BadProposal, match=sentence):
        propose_end(occupancy_id=occupancy_of(game, A).pk, kind=kind, powers=powers)
    assert not game.proposals.exists()


@pytest.mark.parametrize(
    ("draws", "kind", "powers"),
    [
        (Draws.ANY, EndKind.DRAW, (R, T)),
        (Draws.ALL, EndKind.DRAW, (A, R, T)),
        (Draws.ALL, EndKind.CONCESSION, (R,)),
        (Draws.NONE, EndKind.CONCESSION, (A,)),
    ],
)
def test_what_a_game_allows_may_be_proposed(draws: str, kind: str, powers: tuple[str, ...]) -> None:
    game = game_of_three(draws=draws)
    propose_end(occupancy_id=occupancy_of(game, A).pk, kind=kind, powers=powers)
    assert game.proposals.get().powers == sorted(powers)


def test_the_same_is_proposed_once_and_nobody_floods_the_others() -> None:
    game = game_of_three()
    draw(game, A, A, R, T)
    with pytest.raises(BadProposal, match="already been proposed"):
        draw(game, R, T, R, A)
    draw(game, A, A, R)
    concede(game, A, R)
    with pytest.raises(BadProposal, match="Withdraw one"):
        concede(game, A, T)
    for number in range(4, 7):
        withdraw_proposal(occupancy_id=occupancy_of(game, A).pk, number=number - 1)
        concede(game, A, T)
    withdraw_proposal(occupancy_id=occupancy_of(game, A).pk, number=6)
    with pytest.raises(BadProposal, match="Wait for the next one"):
        concede(game, A, T)


def test_nobody_proposes_before_the_start() -> None:
    game = waiting_game(variant=THREE)
    assert Story(game).seen_by(DAVE).agreement is None


def test_a_game_with_a_last_year_ends_after_it_as_a_draw_of_those_left() -> None:
    game = game_of_three(last_year=1899)
    story = Story(game)
    draw(game, A, A, R)
    while under_way(game):
        assert codec.position_of(open_phase(game)).turn.year == 1899
        story.deadline()
    shared = "1899 was the last year: a draw between Austria, Russia and Turkey."
    assert verdict(game) == ("finished", [A, R, T], shared)
    assert game.proposals.get().fate == Fate.LAPSED
    assert story.seen_by(DAVE).final


def test_a_last_year_that_the_variant_cannot_have_is_refused() -> None:
    with pytest.raises(BadGame) as refused:
        waiting_game(variant=THREE, last_year=1898)
    assert refused.value.problems == {
        "last_year": "Three-Way Balkan Battle begins in 1899. Enter a year from 1899 to 1999, or none."
    }


def test_what_was_chosen_for_the_end_is_told_before_anybody_joins() -> None:
    told = [term.sentence for term in Story(waiting_game(last_year=1930)).seen_by(DAVE).game.options.terms]
    assert told[-2:] == [
        "The remaining powers may agree on a draw between any of them or concede the game to one or more powers. "
        "Votes are secret: no one learns who has agreed, or how many have, until all have. "
        "No proposal can pass while at least half of the remaining powers have no player.",
        "If no one has won by the end of 1930, the powers that still have units share a draw.",
    ]
    told = [
        term.sentence for term in Story(waiting_game(draws="none", open_votes=True)).seen_by(DAVE).game.options.terms
    ]
    assert told[-1] == (
        "Players can’t agree on a draw, but the remaining powers may concede the game to one power. "
        "Votes are open: everyone sees who agrees and who refuses. "
        "No proposal can pass while at least half of the remaining powers have no player."
    )


def ended() -> Game:
    game = game_of_three()
    draw(game, A, A, R)
    say(game, R)
    say(game, T)
    return game


def state(game: Game, who: str, text: str) -> None:
    write_statement(game_id=game.pk, user_id=person(who).pk, text=text)


def test_each_player_has_one_statement_and_may_write_it_anew_or_take_it_back() -> None:
    game = ended()
    state(game, "bob", "A pact is a pact.")
    state(game, "alice", " First.\r\nSecond. ")
    view = Story(game).seen_by(DAVE).farewell
    assert view is not None
    assert [(said.power.name, said.player, said.text) for said in view.statements] == [
        ("Austria", "alice", "First.\nSecond."),
        ("Russia", "bob", "A pact is a pact."),
    ]
    state(game, "bob", "Sorry, Fritz.")
    mine = Story(game).seen_by("bob").farewell
    assert mine is not None
    assert (mine.may_state, mine.my_statement) == (True, "Sorry, Fritz.")
    state(game, "bob", "  ")
    assert Statement.objects.get().text == "First.\nSecond."


def test_statements_are_for_those_who_sat_there_last_and_for_after_the_end() -> None:
    game = game_of_three()
    with pytest.raises(WrongMoment, match="once the game is over"):
        state(game, "alice", "Already?")
    game_master.seat_player(
        game_id=game.pk, by=person(CAROL).pk, power=A, username=person(DAVE).username, reason="Agreed."
    )
    game_master.declare_civil_disorder(game_id=game.pk, by=person(CAROL).pk, power=T)
    game_master.close_game(game_id=game.pk, by=person(CAROL).pk)
    for stranger in ("alice", CAROL):
        with pytest.raises(NotAllowed, match="held a seat at the end"):
            state(game, stranger, "And I?")
        assert not Story(game).seen_by(stranger).farewell.may_state
    state(game, DAVE, "I came late.")
    state(game, "fritz", "I was the last to play Turkey.")
    with pytest.raises(BadMessage, match="2000 characters; this one has 2001"):
        state(game, DAVE, "x" * 2001)
    assert Statement.objects.count() == 2


def test_the_points_of_two_systems_are_told_when_it_is_over() -> None:
    view = Story(ended()).seen_by(DAVE).farewell
    assert view is not None
    assert [card.name for card in view.winners] == ["Austria", "Russia"]
    assert [(row.power.name, row.draw_size) for row in view.scores] == [
        ("Austria", "50.0"),
        ("Russia", "50.0"),
        ("Turkey", "0.0"),
    ]


def test_the_database_itself_refuses_what_can_never_be() -> None:
    game = game_of_three()
    draw(game, A, A, R)
    made = game.proposals.get()
    for wrong in (
        lambda: made.votes.create(occupancy=occupancy_of(game, A), agrees=False),
        lambda: game.proposals.create(number=1, kind="draw", powers=[A], proposer=A, turn=made.turn, made=made.made),
        lambda: game.proposals.create(number=2, kind="draw", powers=[A, R], proposer=R, turn=made.turn, made=made.made),
        lambda: game.proposals.create(number=2, kind="draw", powers=[], proposer=R, turn=made.turn, made=made.made),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()
