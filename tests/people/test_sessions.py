"""Sessions: whose they are, and how they end without looking at anyone else's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session as DjangosOwn
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel import clock
from games.people.models import Session
from games.people.sessions import SessionStore, end_sessions
from games.tasks import forget_sign_ins
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PASSWORD, person

pytestmark = pytest.mark.django_db


def test_a_session_says_whose_it_is_from_signing_in_to_signing_out() -> None:
    person(DAVE)
    browser = Client()
    stranger = SessionStore()
    stranger["greeted"] = True
    stranger.save()
    browser.cookies["sessionid"] = str(stranger.session_key)
    assert Session.objects.get().user_id is None
    browser.post(reverse("account_login"), {"login": DAVE, "password": PASSWORD})
    row = Session.objects.get()
    assert (row.user_id, row.session_key) == (person(DAVE).pk, browser.cookies["sessionid"].value)
    assert row.get_decoded()["greeted"]
    browser.post(reverse("account_logout"))
    assert not Session.objects.filter(user__isnull=False).exists()
    assert not DjangosOwn.objects.exists()


def test_no_other_session_is_read_when_those_of_one_person_end() -> None:
    here, *_there = visitor(DAVE), visitor(DAVE), visitor(DAVE)
    visitor(CAROL)
    kept = here.cookies["sessionid"].value
    with CaptureQueriesContext(connection) as asked:
        end_sessions(person(DAVE).pk, except_for=kept)
    on_sessions = [query["sql"] for query in asked if '"people_session"' in query["sql"]]
    assert len(on_sessions) == 1
    assert on_sessions[0].startswith("DELETE")
    assert f'"user_id" = {person(DAVE).pk}' in on_sessions[0]
    rows = set(Session.objects.values_list("user_id", "session_key"))
    assert (person(DAVE).pk, kept) in rows
    assert [user for user, _key in rows if user != person(DAVE).pk] == [person(CAROL).pk]
    assert len(rows) == 2


def test_the_hourly_task_clears_what_has_expired_alone() -> None:
    for name in (DAVE, CAROL):
        visitor(name)
    Session.objects.filter(user_id=person(DAVE).pk).update(expire_date=clock.now() - timedelta(days=1))
    forget_sign_ins()
    assert [row.user_id for row in Session.objects.all()] == [person(CAROL).pk]
