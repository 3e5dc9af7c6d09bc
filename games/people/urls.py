"""The addresses of people and moderation."""

from django.urls import path

from games.people.views import moderation, people

urlpatterns = [
    path("theme/", people.switch_theme, name="theme"),
    path("discard/", people.discard_kept_form, name="discard-typed"),
    path("profile/", people.profile, name="profile"),
    path("profile/tokens/", people.tokens, name="tokens"),
    path("profile/tokens/<int:number>/revoke/", people.revoke_own_token, name="revoke-token"),
    path("people/<name:username>/", people.person, name="person"),
    path("people/<name:username>/block/", people.block, name="block"),
    path("moderation/", moderation.index, name="moderation"),
    path("moderation/accounts/", moderation.accounts, name="accounts"),
    path("moderation/version/", moderation.version, name="version"),
    path("moderation/links/", moderation.links, name="sign-up-links"),
    path("moderation/links/<int:number>/withdraw/", moderation.withdraw_link, name="withdraw-link"),
    path("sign-up/<name:secret>/", people.sign_up, name="sign-up"),
    path("moderation/games/stop/", moderation.stop_game, name="stop-game"),
    path("moderation/games/release/", moderation.release_game, name="release-game"),
    path("moderation/games/master/", moderation.name_master, name="name-master"),
    path("moderation/reports/", moderation.close_report, name="deal"),
    path("moderation/people/<name:username>/", moderation.case, name="case"),
    path("moderation/people/<name:username>/suspend/", moderation.suspend, name="suspend"),
    path("moderation/people/<name:username>/readmit/", moderation.readmit, name="readmit"),
    path("moderation/people/<name:username>/sign-ins/", moderation.sign_ins, name="sign-ins"),
]
