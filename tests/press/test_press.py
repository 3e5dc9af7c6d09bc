"""Writing messages in private and to everyone, reading them, and the emails about them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.http import Http404

from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.models import Letter, Phase
from games.kernel.refusals import BadGame, BadMessage, NotAllowed, Refusal, WrongMoment
from games.mastering.services.desk import close_game, declare_civil_disorder, pause_game, seat_player
from games.press.models import LONGEST_MESSAGE, Message, PressLetter, Thread
from games.press.options import Talk
from games.press.queries import news_view, reader_of, talk_view
from games.press.services import LIMITS, mark_read, send_message
from games.press.threads import address_of
from games.seating.services.new_game import create_game, let_bot_play, take_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.moment import set_clock
from tests.story import Story
from variants.registry import offered

if TYPE_CHECKING:
    from games.kernel.models import Game
    from games.press.parts import TalkView, ThreadView
    from variants.variant import Variant

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
"""Britain, France and Germany."""

REFUSED = WrongMoment, NotAllowed, BadMessage


def say(game: Game, name: str, text: str = "Hello", *to: str, as_gm: bool = False) -> tuple[str, ...]:
    return send_message(game_id=game.pk, user_id=person(name).pk, text=text, to=to, as_gm=as_gm)


def talk(game: Game, name: str, *powers: str, **place: int) -> TalkView:
    """The messages as this person sees them, with the thread of these powers or, without any, the public one."""
    access = access_game(user=person(name), slug=game.slug, token=game.invitation)
    return talk_view(access, address_of(powers), **place)


def thread(game: Game, name: str, *powers: str, **place: int) -> ThreadView:
    shown = talk(game, name, *powers, **place).shown
    assert shown is not None
    return shown


def texts(game: Game, name: str, *powers: str) -> list[str]:
    return [message.text for message in thread(game, name, *powers).messages]


def read(game: Game, name: str, *powers: str) -> None:
    """Let this person look at the thread."""
    access = access_game(user=person(name), slug=game.slug)
    last = thread(game, name, *powers).last
    mark_read(game_id=game.pk, reader=reader_of(access), powers=tuple(sorted(powers)), last=last)


def unread(game: Game, name: str) -> int:
    return Story(game).seen_by(name).unread


def refusal(game: Game, name: str, *to: str, as_gm: bool = False) -> str:
    """Why this person may not write there, in words; "" if the message was sent."""
    try:
        say(game, name, "Hello", *to, as_gm=as_gm)
    except Refusal as refused:
        return refused.sentence
    return ""


def test_a_message_bears_its_power_its_phase_and_its_time() -> None:
    game = running_game()
    before = clock.now()
    assert say(game, ALICE, "Channel to us both?", "FRANCE") == ("BRITAIN", "FRANCE")
    (message,) = thread(game, BOB, "BRITAIN", "FRANCE").messages
    assert (message.author_name, message.text, message.phase) == (
        "Britain",
        "Channel to us both?",
        "Spring 1926, movement",
    )
    assert before < message.sent < clock.now()
    assert (message.mine, thread(game, ALICE, "BRITAIN", "FRANCE").messages[0].mine) == (False, True)


def test_a_set_of_powers_has_one_conversation_however_it_begins_and_is_named() -> None:
    game = running_game()
    say(game, ALICE, "one", "GERMANY", "FRANCE")
    say(game, BOB, "two", "GERMANY", "BRITAIN")
    say(game, FRITZ, "three", "BRITAIN", "FRANCE", "GERMANY")
    assert Thread.objects.get().powers == ["BRITAIN", "FRANCE", "GERMANY"]
    assert texts(game, BOB, "BRITAIN", "FRANCE", "GERMANY") == ["one", "two", "three"]


def test_a_private_thread_is_for_its_powers_only_and_for_everybody_else_it_does_not_exist() -> None:
    game = running_game()
    say(game, ALICE, "Against Germany?", "FRANCE")
    assert texts(game, BOB, "BRITAIN", "FRANCE") == ["Against Germany?"]
    for name in (FRITZ, CAROL, DAVE):
        with pytest.raises(Http404):
            talk(game, name, "BRITAIN", "FRANCE")
        assert "BRITAIN+FRANCE" not in {head.address for head in talk(game, name).threads}
        assert unread(game, name) == 0


def test_private_words_stay_private_after_the_end_and_their_powers_still_read_them() -> None:
    game = running_game()
    say(game, ALICE, "Against Germany?", "FRANCE")
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert texts(game, BOB, "BRITAIN", "FRANCE") == ["Against Germany?"]
    for name in (FRITZ, CAROL, DAVE):
        with pytest.raises(Http404):
            talk(game, name, "BRITAIN", "FRANCE")


def test_what_is_written_to_everybody_is_read_by_everybody() -> None:
    game = running_game()
    say(game, ALICE, "Peace in our time")
    say(game, CAROL, "Welcome", as_gm=True)
    for name in (BOB, CAROL, DAVE):
        assert [(m.author_name, m.text) for m in thread(game, name).messages] == [
            ("Britain", "Peace in our time"),
            ("Game master", "Welcome"),
        ]


@pytest.mark.parametrize("address", ["BRITAIN", "FRANCE+BRITAIN", "BRITAIN+BRITAIN", "BRITAIN+ATLANTIS", "", "+"])
def test_an_address_that_no_thread_has_is_not_found(address: str) -> None:
    game = running_game()
    with pytest.raises(Http404):
        talk_view(access_game(user=person(ALICE), slug=game.slug), address)


@pytest.mark.parametrize(
    ("press", "private", "public", "notice"),
    [
        ("full", "", "", ""),
        ("public", "Public press (Wilson). Players can send only public messages, which everyone can read.", "", ""),
        (
            "none",
            "No press. Players can’t send any messages until the game is over.",
            "No press. Players can’t send any messages until the game is over.",
            "",
        ),
    ],
)
def test_the_press_of_the_game_says_who_may_write_where(press: str, private: str, public: str, notice: str) -> None:
    game = running_game(press=press)
    assert refusal(game, ALICE, "FRANCE") == private
    assert refusal(game, ALICE) == public
    assert refusal(game, CAROL, as_gm=True) == notice
    assert Message.objects.count() == [private, public, notice].count("")
    assert [bool(thread(game, name).voices) for name in (ALICE, CAROL, DAVE)] == [not public, True, False]


@pytest.mark.parametrize("press", ["public", "none"])
def test_without_private_press_no_private_thread_has_an_address(press: str) -> None:
    game = running_game(press=press)
    with pytest.raises(Http404):
        talk(game, ALICE, "BRITAIN", "FRANCE")
    assert [head.title for head in talk(game, ALICE).threads] == ["Everyone", "Game master"]


@pytest.mark.parametrize("press", ["full", "public", "none"])
def test_after_the_end_players_and_game_master_talk_in_public_in_every_game(press: str) -> None:
    game = running_game(press=press)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert refusal(game, ALICE) == refusal(game, CAROL, as_gm=True) == ""
    assert refusal(game, ALICE, "FRANCE") == "The game is over, so you can only write to everyone."
    assert [m.phase for m in thread(game, DAVE).messages] == ["after the end"] * 2


def test_before_the_start_only_the_game_master_writes() -> None:
    game = waiting_game()
    take_seat(game_id=game.pk, user_id=person(ALICE).pk, power="BRITAIN")
    assert refusal(game, ALICE) == refusal(game, ALICE, "FRANCE") == "You can send messages once the game has started."
    assert refusal(game, CAROL, as_gm=True) == ""
    assert [m.phase for m in thread(game, DAVE).messages] == ["before the start"]


def test_the_talk_goes_on_while_the_clock_is_stopped() -> None:
    game = running_game()
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    assert refusal(game, ALICE) == refusal(game, ALICE, "FRANCE") == ""


def test_a_form_sent_twice_is_one_message_and_other_words_from_it_are_another() -> None:
    game = running_game()
    for text in ("Hello", "Hello ", "And more", "And more"):
        send_message(game_id=game.pk, user_id=person(ALICE).pk, text=text, to=["FRANCE"], key="k" * 64)
    assert texts(game, BOB, "BRITAIN", "FRANCE") == ["Hello", "And more", "And more"]
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="Hello", to=["BRITAIN"], key="k" * 64)
    assert len(texts(game, BOB, "BRITAIN", "FRANCE")) == 4, "a key belongs to one voice in one thread"


def test_who_writes_too_much_is_told_how_long_to_wait_and_nobody_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = [(most, *limit[1:]) for most, limit in zip((2, 3), LIMITS, strict=True)]
    monkeypatch.setattr("games.press.services.LIMITS", limits)
    game, start = running_game(), clock.now()

    def tried(minutes: int, name: str = ALICE) -> str:
        set_clock(monkeypatch, lambda: start + timedelta(minutes=minutes))
        return refusal(game, name, "GERMANY")

    assert tried(1) == tried(2) == ""
    assert tried(3) == (
        "Not sent: you have already sent 2 messages in ten minutes. Wait 9 minutes, then send it again."
    )
    assert (tried(3, BOB), tried(12), "in an hour. Wait 39 minutes" in tried(23)) == ("", "", True)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=person(DAVE).username, reason="Agreed.")
    assert tried(24, DAVE) == "", "messages by the previous player are not counted"


def test_a_message_that_arrived_is_not_refused_when_it_comes_again_after_the_end() -> None:
    game = running_game()
    sent: dict[str, Any] = {
        "game_id": game.pk,
        "user_id": person(ALICE).pk,
        "text": "Hello",
        "to": ["FRANCE"],
        "key": "k" * 64,
    }
    send_message(**sent)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert send_message(**sent) == ("BRITAIN", "FRANCE")
    assert Message.objects.count() == 1


def test_a_game_master_writes_notices_only_and_nobody_writes_in_another_name() -> None:
    game = running_game(gm_in_private=False)
    never = "In this game, the game master and the players can’t write to each other privately."
    assert refusal(game, CAROL, "FRANCE", as_gm=True) == never
    assert refusal(game, ALICE, as_gm=True) == "Only the game master can write as the game master."
    for name in (CAROL, DAVE):
        assert refusal(game, name) == ("Only players with a seat in this game and its game master can write here.")
    assert not Message.objects.exists()


def test_a_game_master_who_plays_has_two_voices_and_in_a_game_without_press_none() -> None:
    full, gunboat = (waiting_game(press=press, gm_plays=True) for press in ("full", "none"))
    for game in (full, gunboat):
        for name, power in zip((CAROL, *PLAYERS[1:]), powers_of(game), strict=True):
            take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    assert thread(full, CAROL).voices == (("power", "Britain"), ("gm", "Game master"))
    assert thread(gunboat, CAROL).voices == ()
    assert refusal(gunboat, CAROL, as_gm=True) == (
        "This game has no press, so a game master who plays can’t send messages until it is over."
    )


@pytest.mark.parametrize(
    ("text", "to", "sentence"),
    [
        (" \n\t ", (), "Not sent: the message is empty. Write something first."),
        (
            "x" * (LONGEST_MESSAGE + 1),
            (),
            "Not sent: the message has 4001 characters, and the limit is 4000. Shorten it or send it in parts.",
        ),
        ("Hello", ("BRITAIN",), "Choose at least one power besides your own."),
        (
            "Hello",
            ("ATLANTIS",),
            "This game has no power 'ATLANTIS'. Choose from: "
            "BRITAIN, FRANCE, GERMANY, ITALY, POLAND, SOVIET_UNION, TURKEY.",
        ),
    ],
)
def test_a_message_that_cannot_be_sent_is_refused_with_what_is_allowed(
    text: str, to: tuple[str, ...], sentence: str
) -> None:
    game = running_game()
    with pytest.raises(BadMessage) as refused:
        say(game, ALICE, text, *to)
    assert refused.value.sentence == sentence
    assert not Message.objects.exists()


def test_the_longest_message_is_taken_and_lines_stay_as_they_were_written() -> None:
    game = running_game()
    say(game, ALICE, "x" * LONGEST_MESSAGE)
    say(game, ALICE, "  one\r\n\r\n two  \n")
    assert texts(game, BOB) == ["x" * LONGEST_MESSAGE, "one\n\n two"]


def test_a_message_is_never_changed_and_never_deleted() -> None:
    game = running_game()
    say(game, ALICE)
    message = Message.objects.get()
    for change in (lambda: Message.objects.update(text="I never said that"), message.delete):
        with pytest.raises(IntegrityError, match="messages are never changed"), transaction.atomic():
            change()
    assert texts(game, BOB) == ["Hello"]


def test_a_new_player_reads_private_messages_from_after_the_takeover_and_all_public_ones() -> None:
    game = running_game()
    say(game, ALICE, "for Bob", "FRANCE")
    say(game, ALICE, "for all")
    say(game, ALICE, "in a group", "FRANCE", "GERMANY")
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    assert texts(game, DAVE, "BRITAIN", "FRANCE") == []
    assert texts(game, DAVE) == ["for all"]
    assert unread(game, DAVE) == 0
    assert "BRITAIN+FRANCE+GERMANY" not in {head.address for head in talk(game, DAVE).threads}
    say(game, ALICE, "for Dave", "FRANCE")
    shown = thread(game, DAVE, "BRITAIN", "FRANCE")
    assert ([m.text for m in shown.messages], shown.first, shown.total) == (["for Dave"], 1, 1)
    assert shown.joined == occupancy_of(game, "FRANCE").since
    assert thread(game, ALICE, "BRITAIN", "FRANCE").joined is None
    assert texts(game, ALICE, "BRITAIN", "FRANCE") == ["for Bob", "for Dave"]


def test_who_has_left_a_seat_reads_and_writes_there_no_more() -> None:
    game = running_game()
    say(game, ALICE, "for Bob", "FRANCE")
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    with pytest.raises(Http404):
        talk(game, BOB, "BRITAIN", "FRANCE")
    with pytest.raises(NotAllowed):
        say(game, BOB, "Adieu", "BRITAIN")


def test_powers_without_a_player_are_written_to_and_nobody_reads_for_them() -> None:
    game = running_game()
    declare_civil_disorder(game_id=game.pk, by=person(CAROL).pk, power="FRANCE")
    assert say(game, ALICE, "Anybody there?", "FRANCE", "GERMANY") == ("BRITAIN", "FRANCE", "GERMANY")
    assert texts(game, FRITZ, "BRITAIN", "FRANCE", "GERMANY") == ["Anybody there?"]
    assert [letter.user.username for letter in PressLetter.objects.all()] == [FRITZ]
    with pytest.raises(Http404):
        talk(game, BOB, "BRITAIN", "FRANCE", "GERMANY")


def test_unread_counts_what_others_wrote_until_it_was_seen() -> None:
    game = running_game()
    say(game, ALICE, "one", "FRANCE")
    say(game, ALICE, "two", "FRANCE")
    say(game, FRITZ, "to all")
    assert {name: unread(game, name) for name in (ALICE, BOB, FRITZ, CAROL, DAVE)} == {
        ALICE: 1,
        BOB: 3,
        FRITZ: 0,
        CAROL: 1,
        DAVE: 0,
    }
    assert {head.title: head.unread for head in talk(game, BOB).threads if head.unread} == {"Everyone": 1, "Britain": 2}
    read(game, BOB, "BRITAIN", "FRANCE")
    assert unread(game, BOB) == 1
    say(game, ALICE, "three", "FRANCE")
    assert unread(game, BOB) == 2


def test_the_list_has_everybody_first_then_who_wrote_last_then_each_silent_power() -> None:
    game = running_game()
    say(game, ALICE, "one", "POLAND")
    say(game, ALICE, "two", "ITALY", "GERMANY")
    assert [head.title for head in talk(game, ALICE).threads] == [
        "Everyone",
        "Germany and Italy",
        "Poland",
        "Game master",
        "France",
        "Germany",
        "Italy",
        "Soviet Union",
        "Turkey",
    ]


def test_a_long_thread_is_shown_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.press.talk.MOST_MESSAGES", 3)
    game = running_game()
    for number in range(1, 8):
        say(game, ALICE, str(number))

    def part(**place: int) -> tuple[list[str], int, int, int]:
        shown = thread(game, BOB, **place)
        return [message.text for message in shown.messages], shown.first, shown.last, shown.total

    assert part() == (["5", "6", "7"], 5, 7, 7)
    assert part(before=5) == (["2", "3", "4"], 2, 4, 7)
    assert part(before=2) == (["1"], 1, 1, 7)
    assert part(before=1) == ([], 0, 0, 7)


def test_news_are_what_came_after_a_place() -> None:
    game = running_game()
    for number in range(1, 8):
        say(game, ALICE, str(number))
    access = access_game(user=person(BOB), slug=game.slug)
    assert [message.text for message in news_view(access, "everybody", after=5).messages] == ["6", "7"]
    for place in (7, 10**30):
        news = news_view(access, "everybody", after=place)
        assert (news.messages, news.last, news.total) == ((), 7, 7)
    with pytest.raises(Http404):
        news_view(access, "BRITAIN+GERMANY", after=0)


def ripe() -> None:
    """Let the time pass in which readers can see the message on the site."""
    PressLetter.objects.update(next_try=clock.now() - timedelta(seconds=1))


def press_mail() -> list[Any]:
    """The emails about messages that are sent now."""
    Letter.objects.all().delete()
    mail.outbox.clear()
    ripe()
    deliver_letters()
    return list(mail.outbox)


def test_one_letter_tells_of_a_thread_until_it_is_read_and_never_quotes_it() -> None:
    game = running_game(name="Locarno")
    say(game, ALICE, "Meet me in Brest", "FRANCE")
    (letter,) = press_mail()
    assert letter.to == [person(BOB).email]
    assert letter.subject == "Locarno: a message from Britain"
    said, address, closing, footer = letter.body.split("\n\n")
    assert said == "Locarno: Britain has sent you a private message."
    assert address == f"http://testserver/games/{game.slug}/talk/BRITAIN+FRANCE/"
    assert closing == "We won’t email you about this conversation again until you’ve read it."
    assert [line.split(": ")[0] for line in footer.splitlines()] == [
        "Turn off emails like this one",
        "Notification settings",
    ]
    say(game, ALICE, "Are you there?", "FRANCE")
    assert press_mail() == []
    read(game, BOB, "BRITAIN", "FRANCE")
    say(game, ALICE, "So?", "FRANCE")
    assert [message.to for message in press_mail()] == [[person(BOB).email]]


def test_a_message_that_is_read_at_once_makes_no_letter() -> None:
    game = running_game()
    say(game, ALICE, "Hello", "FRANCE")
    waiting = PressLetter.objects.get()
    assert waiting.next_try is not None
    assert waiting.next_try > clock.now()
    read(game, BOB, "BRITAIN", "FRANCE")
    assert press_mail() == []


def test_a_public_message_is_told_to_every_player_and_the_game_master_but_not_to_its_writer_or_a_bot() -> None:
    game = running_game()
    let_bot_play(occupancy_id=occupancy_of(game, "FRANCE").pk)
    say(game, ALICE, "Peace")
    letters = press_mail()
    assert {to for letter in letters for to in letter.to} == {person(name).email for name in (*PLAYERS[2:], CAROL)}
    assert "Britain has sent a message to everyone." in letters[0].body


def test_no_letter_goes_to_somebody_who_has_lost_the_seat() -> None:
    game = running_game()
    say(game, ALICE, "for Bob", "FRANCE")
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    assert press_mail() == []
    assert not PressLetter.objects.exists()


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_a_game_has_the_press_of_its_variant_unless_another_is_chosen(variant: Variant) -> None:
    assert waiting_game(variant=variant.slug).options[Talk].press == variant.press_default
    assert waiting_game(variant=variant.slug, press="none").options[Talk].press == "none"


def test_press_that_nobody_knows_is_refused() -> None:
    with pytest.raises(BadGame) as refused:
        create_game(by=person(CAROL).pk, name="Locarno", variant="1926", movement_seconds=3600, press="whispers")
    assert refused.value.problems == {"press": "The press must be one of: full, public, none."}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "Full press. Players can send private messages to one or more powers, and public messages."),
        ({"press": "public"}, "Public press (Wilson). Players can send only public messages, which everyone can read."),
        (
            {"press": "none", "hidden_names": True},
            "Gunboat: no press, anonymous players. Until the game is over, players can’t send any messages, and no one "
            "is told who plays which power. The game master can see the names.",
        ),
        (
            {"press": "public", "hidden_names": True, "gm_plays": True},
            "Public press (Wilson). Players can send only public messages, which everyone can read. No one is told who "
            "plays which power until the game is over. The game master cannot see the names.",
        ),
    ],
)
def test_the_terms_say_the_press_before_anybody_joins(options: dict[str, Any], sentence: str) -> None:
    assert sentence in [term.sentence for term in Story(waiting_game(**options)).seen_by(DAVE).game.options.terms]


def test_the_database_numbers_messages_once_and_takes_no_empty_one() -> None:
    game = running_game()
    say(game, ALICE)
    thread_row, now = Thread.objects.get(), clock.now()
    for constraint, number, text in (("message_number_once_per_thread", 1, "again"), ("message_has_words", 2, "")):
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            Message.objects.create(thread=thread_row, number=number, text=text, sent=now)
    with pytest.raises(IntegrityError, match="thread_once_per_set"), transaction.atomic():
        Thread.objects.create(game=game, powers=[])


def test_the_talk_is_closed_in_the_phases_that_were_chosen_and_opens_again() -> None:
    closed = "Players can’t send messages during retreats."
    game = running_game(press_closed=("R",))
    assert refusal(game, ALICE) == refusal(game, ALICE, "FRANCE") == ""
    Phase.objects.filter(game=game).update(turn="S1926R")
    assert refusal(game, ALICE) == refusal(game, ALICE, "FRANCE") == closed
    assert refusal(game, CAROL, as_gm=True) == ""
    shown = thread(game, BOB, "BRITAIN", "FRANCE")
    assert (shown.silence, shown.voices, len(shown.messages)) == (closed, (), 1)
    Phase.objects.filter(game=game).update(turn="F1926M")
    assert refusal(game, ALICE, "FRANCE") == ""
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert refusal(game, ALICE) == ""


def test_closed_phases_are_told_before_joining_and_only_some_can_be_chosen() -> None:
    game = running_game(press_closed=("A", "R"))
    assert game.options == GameOptions.from_stored(game.options.to_json(), None, by_invitation=False)
    assert game.options[Talk].press_closed == ("A", "R")
    (talks,) = (term.sentence for term in game.options.terms() if term.title == "Press")
    assert "Players can’t send messages during retreats, and builds and removals." in talks
    for chosen, sentence in (
        ({"press_closed": ("M",)}, "Press can only be closed during declarations, retreats, builds and removals."),
        ({"press_closed": ("R",), "press": "none"}, "This game has no press, so there are no phases to close it in."),
    ):
        with pytest.raises(BadOptions) as refused:
            GameOptions.create(**chosen)
        assert refused.value.problems == {"press_closed": sentence}
