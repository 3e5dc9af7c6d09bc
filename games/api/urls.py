"""The addresses of the API."""

from django.urls import include, path, re_path

import games.kernel.addresses  # noqa: F401 - what their parts are called
from games.api import agreeing, guide, joining, lists, mastering, news, seats, tournaments, views
from games.api.errors import answer_to_unknown_address
from games.api.schema import SchemaAnswer
from games.mastering.acts import ACTS as MASTERS
from games.tournaments.acts import ACTS as TOURNAMENTS

app_name = "api"
VERSION_1 = [
    path("schema/", SchemaAnswer.as_view(), name="schema"),
    path("variants/", views.VariantsAnswer.as_view(), name="variants"),
    path("variants/<variant:slug>/", views.VariantAnswer.as_view(), name="variant"),
    path("variants/<variant:slug>/map.svg", views.BoardAnswer.as_view(), name="board"),
    path("games/", lists.GamesAnswer.as_view(), name="games"),
    path("games/<slug:slug>/", views.GameAnswer.as_view(), name="game"),
    path("games/<slug:slug>/phases/<int:ordinal>/", views.PhaseAnswer.as_view(), name="phase"),
    path("games/<slug:slug>/log/", views.LogAnswer.as_view(), name="log"),
    path("games/<slug:slug>/record/", views.RecordAnswer.as_view(), name="record"),
    path("games/<slug:slug>/proposals/", agreeing.ProposalsAnswer.as_view(), name="proposals"),
    path("games/<slug:slug>/proposals/<int:number>/vote/", agreeing.VoteAnswer.as_view(), name="vote"),
    path("games/<slug:slug>/requests/", agreeing.RequestsAnswer.as_view(), name="requests"),
    path("games/<slug:slug>/requests/<int:number>/", agreeing.ConsentAnswer.as_view(), name="consent"),
    path("games/<slug:slug>/talk/", views.TalkAnswer.as_view(), name="talk"),
    path("games/<slug:slug>/talk/<str:address>/", views.ThreadAnswer.as_view(), name="thread"),
    path("games/<slug:slug>/resign/", seats.ResignAnswer.as_view(), name="resign"),
    path("games/<slug:slug>/sitter/", seats.SitterAnswer.as_view(), name="sitter"),
    path("games/<slug:slug>/sitter/gm/", seats.EnteringAnswer.as_view(), name="gm-enters"),
    path("sittings/", seats.SittingsAnswer.as_view(), name="sittings"),
    path("sittings/<int:number>/", seats.SittingAnswer.as_view(), name="sitting"),
    path("games/<slug:slug>/sheet/", views.SheetAnswer.as_view(), name="sheet"),
    path("games/<slug:slug>/ready/", joining.ReadyAnswer.as_view(), name="ready"),
    path("games/<slug:slug>/join/", joining.JoinAnswer.as_view(), name="join"),
    path("games/<slug:slug>/wishes/", joining.WishesAnswer.as_view(), name="wishes"),
    path("games/<slug:slug>/leave/", joining.LeaveAnswer.as_view(), name="leave"),
    path("games/<slug:slug>/confirm/", joining.ConfirmAnswer.as_view(), name="confirm"),
    path("games/<slug:slug>/request/", joining.RequestAnswer.as_view(), name="request"),
    path("games/<slug:slug>/seats/<str:power>/", joining.VacantAnswer.as_view(), name="vacant"),
    path("games/<slug:slug>/come-back/", joining.ReturnAnswer.as_view(), name="come-back"),
    path("games/<slug:slug>/offer/", joining.OfferAnswer.as_view(), name="offer"),
    path("games/<slug:slug>/bot/", joining.BotSeatAnswer.as_view(), name="bot"),
    path("games/<slug:slug>/hand-over/", joining.NextMasterAnswer.as_view(), name="hand-over"),
    path("games/<slug:slug>/assist/", joining.AssistantAnswer.as_view(), name="assist"),
    path("games/<slug:slug>/absences/", seats.AbsencesAnswer.as_view(), name="absences"),
    path("games/<slug:slug>/absences/<int:number>/", seats.AbsenceAnswer.as_view(), name="absence"),
    path("games/<slug:slug>/gm/saved/", mastering.MissingAnswer.as_view(), name="saved"),
    path("games/<slug:slug>/gm/", mastering.DeskAnswer.as_view(), name="desk"),
    *(
        path(f"games/<slug:slug>/gm/{verb}/", mastering.endpoint_of_act(verb).as_view(), name=f"gm-{verb}")
        for verb in MASTERS
    ),
    path("games/<slug:slug>/proposals/<int:number>/", agreeing.ProposalAnswer.as_view(), name="proposal"),
    path("games/<slug:slug>/statement/", agreeing.StatementAnswer.as_view(), name="statement"),
    path("tournaments/", tournaments.TournamentsAnswer.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", tournaments.TournamentAnswer.as_view(), name="tournament"),
    path("tournaments/<slug:slug>/plans/<int:number>/", tournaments.PlanAnswer.as_view(), name="plan"),
    *(
        path(f"tournaments/<slug:slug>/{verb}/", tournaments.endpoint_of_act(act).as_view(), name=f"do-{verb}")
        for verb, act in TOURNAMENTS.items()
        if act.by_programs
    ),
    path("changes/", news.ChangesAnswer.as_view(), name="changes"),
    path("events/", news.EventsAnswer.as_view(), name="events"),
    path("notices/", news.NoticesAnswer.as_view(), name="notices"),
    path("notices/read/", news.ReadAnswer.as_view(), name="read-notices"),
    path("webhooks/", news.WebhooksAnswer.as_view(), name="webhooks"),
    path("webhooks/<int:number>/", news.WebhookAnswer.as_view(), name="webhook"),
    path("webhooks/<int:number>/test/", news.TestAnswer.as_view(), name="test-webhook"),
]
urlpatterns = [
    path("", guide.guide, name="guide"),
    path("reference/", guide.reference, name="reference"),
    path("v1/", include(VERSION_1)),
    re_path(r"^(?P<rest>[\s\S]+)$", answer_to_unknown_address, name="nothing"),  # even with line breaks
]
