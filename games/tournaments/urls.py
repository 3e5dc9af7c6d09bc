"""The addresses of tournaments and series."""

from django.urls import path

from games.kernel.once import once_per_page
from games.tournaments import views, views_desk
from games.tournaments.acts import WITH_BUTTON
from games.tournaments.forms import SeriesForm, TournamentForm

FORMER_ADDRESSES = {
    "check-in": "check_in",
    "directors": "add_director",
    "place": "set_place",
    "rounds/<int:number>/call": "call_check_in",
    "rounds/<int:number>/delete": "delete_round",
}
"""Where pages send acts that were open before this version: until the next release."""

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", once_per_page(views.new), {"form_class": TournamentForm}, name="new-tournament"),
    path("tournaments/new-series/", once_per_page(views.new), {"form_class": SeriesForm}, name="new-series"),
    path("tournaments/invitation/<str:token>/", views.invitation, name="tournament-invitation"),
    path("tournaments/<slug:slug>/", views.tournament, name="tournament"),
    path("tournaments/<slug:slug>/hall/", views.hall, name="hall"),
    path("tournaments/<slug:slug>/standings.csv", views.spreadsheet, {"kind": "standings"}, name="standings"),
    path("tournaments/<slug:slug>/results.csv", views.spreadsheet, {"kind": "results"}, name="results"),
    path("tournaments/<slug:slug>/standings.json", views.standings_json, name="standings-json"),
    path("tournaments/<slug:slug>/edit/", views.edit, name="edit-tournament"),
    path("tournaments/<slug:slug>/report/", views.report, name="report-tournament"),
    path("tournaments/<slug:slug>/moderate/", views.moderate, name="moderate-tournament"),
    path("tournaments/<slug:slug>/games/", views.games, name="tournament-games"),
    path("tournaments/<slug:slug>/link/<str:token>/", views.invited, name="tournament-link"),
    path("tournaments/<slug:slug>/entry/", views.own_entry, name="own-entry"),
    path("tournaments/<slug:slug>/manage/", once_per_page(views.manage), name="manage-tournament"),
    path("tournaments/<slug:slug>/desk/", once_per_page(views_desk.desk), name="tournament-desk"),
    path("tournaments/<slug:slug>/rounds/<int:number>/plan/", views.plan, name="plan"),
    path("tournaments/<slug:slug>/rounds/<int:number>/type/", once_per_page(views_desk.type_in), name="type-table"),
    *(
        path(f"tournaments/<slug:slug>/{verb}/", views.button(act), name=f"do-{verb}")
        for verb, act in WITH_BUTTON.items()
    ),
    *(
        path(f"tournaments/<slug:slug>/{old}/", views.button(WITH_BUTTON[verb]), name=f"former-{verb}")
        for old, verb in FORMER_ADDRESSES.items()
    ),
]
