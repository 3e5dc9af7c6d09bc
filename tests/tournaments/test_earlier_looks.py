"""What an older version had stored: its directors saw wishes and plans without asking."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from games.kernel import clock
from games.kernel.models import Joiner
from games.kernel.refusals import NotAllowed
from games.tournaments import entry
from games.tournaments import services as acts
from games.tournaments.models import Director, Entrant, Look, Place
from tests.cast import CAROL, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.tournaments.made import seated, tournament
from tests.tournaments.test_series import series

pytestmark = pytest.mark.django_db(transaction=True)
ALICE = PLAYERS[0]
BEFORE = ("tournaments", "0004_within_bounds")


def test_directors_of_an_older_version_have_looked_unless_they_play_or_have_played() -> None:
    game, lobby = running_game(), waiting_game(name="Paris", seats="random")
    it, draft = tournament(directors_play=True), tournament(published=False, directors_play=True)
    seated(it, game, lobby)
    directors = ["left", "says", "withdrawn", "waits"]
    for name in directors:
        for each in (it, draft):
            person(name)
            acts.add_director(tournament_id=each.pk, by=person(CAROL).pk, username=name)
    acts.leave(tournament_id=it.pk, by=person("left").pk)
    Director.objects.filter(user=person("says")).update(plays=True)
    Director.objects.create(tournament=it, user=person(ALICE))
    Entrant.objects.create(tournament=it, user=person("withdrawn"), place=Place.OUT, entered=clock.now())
    Joiner.objects.create(game=lobby, user=person("waits"), joined=clock.now())
    series()
    call_command("migrate", *BEFORE, verbosity=0, interactive=False)
    call_command("migrate", verbosity=0, interactive=False)
    looks = Look.objects.values_list("tournament", "user__username")
    assert sorted(looks) == [(it.pk, CAROL), (it.pk, "left")]
    with pytest.raises(NotAllowed, match="looked at the"):
        entry.enter(tournament_id=it.pk, by=person("left").pk)
    assert entry.enter(tournament_id=it.pk, by=person("says").pk) == Place.IN
