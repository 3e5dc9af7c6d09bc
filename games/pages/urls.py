"""The addresses of the pages that several subjects contribute to."""

from django.urls import path

from games.kernel.once import once_per_page
from games.kernel.view_helpers import button
from games.pages.acts import ACTS
from games.pages.views import app, bringing, embedding, game, lobby, terms

BUTTONS = {
    "ask": ("ask", "ask_to_join"),
    "unask": ("ask/back", "withdraw_request"),
    "confirm": ("confirm", "confirm"),
    "leave": ("leave", "leave"),
    "own-bot": ("own-bot", "own_bot"),
    "come-back": ("come-back", "come_back"),
    "take-over": ("take-over", "stop_bot"),
    "withdraw": ("proposals/<int:number>/withdraw", "withdraw_proposal"),
}
"""The acts of players that a button does at once: the name of each address, and where it is in a game."""

urlpatterns = [
    path("", lobby.home, name="home"),
    path("app.webmanifest", app.manifest, name="manifest"),
    path("words.js", app.words_for_scripts, name="words"),
    path("offline/", app.offline, name="offline"),
    path("invitations/<name:token>/", lobby.invited, name="invited"),
    path("welcome/", lobby.welcome, name="welcome"),
    path("games/", lobby.games, name="lobby"),
    path("new-game/", lobby.create, name="create"),
    path("new-game/bring/", bringing.bring, name="bring"),
    path("new-game/bring/<slug:variant>.txt", bringing.blank_position, name="bring-form"),
    path("new-game/outlook/", lobby.outlook, name="outlook"),
    path("games/<slug:slug>/", game.game, name="game"),
    path("games/<slug:slug>/pulse/", game.pulse, name="pulse"),
    path("games/<slug:slug>/phases/<int:ordinal>/", game.phase, name="phase"),
    path("games/<slug:slug>/log/", game.log, name="log"),
    path("games/<slug:slug>/board/", embedding.board, name="board"),
    path("oembed/", embedding.oembed, name="oembed"),
    path("games/<slug:slug>/follow/", game.follow, name="follow"),
    path("games/<slug:slug>/gm/terms/", once_per_page(terms.change_terms_page), name="change-terms"),
    path("tournaments/<slug:slug>/rounds/new/", once_per_page(terms.new_round), name="new-round"),
    path("tournaments/<slug:slug>/rounds/<int:number>/edit/", terms.edit_round, name="edit-round"),
    *(path(f"games/<slug:slug>/{address}/", button(ACTS[act]), name=name) for name, (address, act) in BUTTONS.items()),
]
