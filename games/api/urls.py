"""The addresses of the API."""

from django.urls import include, path, re_path

from games.api import lists, records, seats, views
from games.api.errors import nothing

app_name = "api"
VERSION_1 = [
    path("variants/", views.VariantsAnswer.as_view(), name="variants"),
    path("games/", lists.GamesAnswer.as_view(), name="games"),
    path("lists/<slug:shelf>/", lists.ListAnswer.as_view(), name="list"),
    path("games/<slug:slug>/", views.GameAnswer.as_view(), name="game"),
    path("games/<slug:slug>/phases/<int:ordinal>/", views.PhaseAnswer.as_view(), name="phase"),
    path("games/<slug:slug>/log/", views.LogAnswer.as_view(), name="log"),
    path("games/<slug:slug>/record/", records.RecordAnswer.as_view(), name="record"),
    path("games/<slug:slug>/proposals/", views.ProposalsAnswer.as_view(), name="proposals"),
    path("games/<slug:slug>/proposals/<int:number>/vote/", views.VoteAnswer.as_view(), name="vote"),
    path("games/<slug:slug>/talk/", views.TalkAnswer.as_view(), name="talk"),
    path("games/<slug:slug>/talk/<str:address>/", views.ThreadAnswer.as_view(), name="thread"),
    path("games/<slug:slug>/gm/<slug:verb>/", views.MasterAnswer.as_view(), name="master"),
    path("games/<slug:slug>/resign/", seats.ResignAnswer.as_view(), name="resign"),
    path("games/<slug:slug>/sitter/", seats.SitterAnswer.as_view(), name="sitter"),
    path("sittings/", seats.SittingsAnswer.as_view(), name="sittings"),
    path("sittings/<int:number>/", seats.SittingAnswer.as_view(), name="sitting"),
    path("games/<slug:slug>/sheet/", views.SheetAnswer.as_view(), name="sheet"),
]
urlpatterns = [
    path("v1/", include(VERSION_1)),
    re_path(r"^(?P<rest>[\s\S]+)$", nothing, name="nothing"),  # even with line breaks
]
