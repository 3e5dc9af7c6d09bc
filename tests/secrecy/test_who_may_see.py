"""Every address × every role -> the status of its answer. An address without a row fails: add it on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories import running_game
from tests.secrecy.addresses import addresses
from tests.secrecy.observation import OWN_PARTS, VIEWERS, observed_by, signed_in
from tests.story import Story

if TYPE_CHECKING:
    from games.models import Game

pytestmark = pytest.mark.django_db

# The columns: a stranger, an observer with an account, a player, the game master, the staff.
# The game has one closed phase and one open.
GET: dict[str, tuple[int, int, int, int, int]] = {
    "account-delete": (302, 200, 200, 200, 200),
    "account-elsewhere": (302, 405, 405, 405, 405),
    "account-export": (302, 405, 405, 405, 405),
    "account_change_password": (302, 200, 200, 200, 200),
    "account_confirm_email": (200, 200, 200, 200, 200),
    "account_confirm_login_code": (302, 302, 302, 302, 302),
    "account_email": (302, 200, 200, 200, 200),
    "account_email_verification_sent": (200, 200, 200, 200, 200),
    "account_inactive": (200, 200, 200, 200, 200),
    "account_login": (200, 302, 302, 302, 302),
    "account_logout": (302, 200, 200, 200, 200),
    "account_reauthenticate": (302, 200, 200, 200, 200),
    "account_reset_password": (200, 200, 200, 200, 200),
    "account_reset_password_done": (200, 200, 200, 200, 200),
    "account_reset_password_from_key": (200, 200, 200, 200, 200),
    "account_reset_password_from_key_done": (200, 200, 200, 200, 200),
    "account_set_password": (302, 302, 302, 302, 302),
    "account_signup": (200, 302, 302, 302, 302),
    "api-schema": (200, 200, 200, 200, 200),
    "api:game": (200, 200, 200, 200, 200),
    "api:games": (200, 200, 200, 200, 200),
    "api:master": (405, 405, 405, 405, 405),
    "api:phase": (200, 200, 200, 200, 200),
    "api:proposals": (200, 200, 200, 200, 200),
    "api:resign": (405, 405, 405, 405, 405),
    "api:sheet": (404, 404, 200, 404, 404),
    "api:sitter": (404, 404, 404, 404, 404),
    "api:sitting": (405, 405, 405, 405, 405),
    "api:sittings": (200, 200, 200, 200, 200),
    "api:talk": (200, 200, 200, 200, 200),
    "api:thread": (404, 404, 200, 404, 404),
    "api:variants": (200, 200, 200, 200, 200),
    "api:vote": (405, 405, 405, 405, 405),
    "events": (204, 204, 204, 204, 204),
    "games:absences": (302, 404, 200, 404, 404),
    "games:amend": (302, 404, 404, 200, 404),
    "games:act": (302, 405, 405, 405, 405),
    "games:back": (302, 404, 404, 200, 404),
    "games:bell": (404, 200, 200, 200, 200),
    "games:block": (302, 405, 405, 405, 405),
    "games:bids": (302, 405, 405, 405, 405),
    "games:answer": (302, 405, 405, 405, 405),
    "games:answer-approach": (302, 405, 405, 405, 405),
    "games:come-back": (302, 405, 405, 405, 405),
    "games:invite": (302, 405, 405, 405, 405),
    "games:offer": (302, 404, 404, 404, 404),
    "games:remark": (302, 404, 404, 404, 404),
    "games:resign": (302, 404, 200, 404, 404),
    "games:seats": (200, 200, 200, 200, 200),
    "games:standby": (302, 200, 200, 200, 200),
    "games:vacant": (404, 404, 404, 404, 404),
    "games:answer-sitting": (302, 405, 405, 405, 405),
    "games:sitter": (302, 404, 200, 404, 404),
    "games:sitting": (302, 200, 200, 200, 200),
    "games:ask": (302, 405, 405, 405, 405),
    "games:calendar": (200, 200, 200, 200, 200),
    "games:cancel-absence": (302, 405, 405, 405, 405),
    "games:card": (200, 200, 200, 200, 200),
    "games:choose-phase": (302, 404, 404, 302, 404),
    "games:close": (302, 404, 404, 200, 404),
    "games:confirm": (302, 405, 405, 405, 405),
    "games:create": (302, 200, 200, 200, 200),
    "games:disorder": (302, 404, 404, 200, 404),
    "games:empty-seat": (302, 405, 405, 405, 405),
    "games:extend": (302, 405, 405, 405, 405),
    "games:feed": (404, 404, 404, 404, 404),
    "games:gallery": (404, 404, 404, 404, 404),
    "games:game": (200, 200, 200, 200, 200),
    "games:game-feed": (200, 200, 200, 200, 200),
    "games:gm": (302, 404, 404, 200, 404),
    "games:hand-over": (302, 405, 405, 405, 405),
    "games:take-game": (302, 404, 404, 404, 404),
    "games:history": (200, 200, 200, 200, 200),
    "games:home": (200, 200, 200, 200, 200),
    "games:invited": (404, 404, 404, 404, 404),
    "games:learn": (200, 200, 200, 200, 200),
    "games:leave": (302, 405, 405, 405, 405),
    "games:lesson": (200, 200, 200, 200, 200),
    "games:lobby": (200, 200, 200, 200, 200),
    "games:lobby-feed": (200, 200, 200, 200, 200),
    "games:map": (200, 200, 200, 200, 200),
    "games:messages": (404, 404, 204, 404, 404),
    "games:message": (302, 404, 404, 404, 404),
    "games:mute": (302, 405, 405, 405, 405),
    "games:my-calendar": (302, 200, 200, 200, 200),
    "games:notices": (302, 200, 200, 200, 200),
    "games:notify": (302, 200, 200, 200, 200),
    "games:notify-game": (302, 404, 200, 200, 404),
    "games:notebook": (302, 404, 200, 404, 404),
    "games:order-form": (200, 200, 200, 200, 200),
    "games:orders": (302, 404, 200, 404, 404),
    "games:person": (200, 200, 200, 200, 200),
    "games:phase": (200, 200, 200, 200, 200),
    "games:picture": (200, 200, 200, 200, 200),
    "games:position": (302, 404, 404, 200, 404),
    "games:preview": (302, 405, 405, 405, 405),
    "games:print": (200, 200, 200, 200, 200),
    "games:profile": (302, 200, 200, 200, 200),
    "games:revoke-token": (302, 405, 405, 405, 405),
    "games:tokens": (302, 302, 302, 302, 302),
    "games:proposals": (200, 200, 200, 200, 200),
    "games:pulse": (200, 200, 200, 200, 200),
    "games:read": (302, 405, 405, 405, 405),
    "games:push-off": (302, 405, 405, 405, 405),
    "games:push-on": (302, 405, 405, 405, 405),
    "games:push-topics": (302, 405, 405, 405, 405),
    "games:push-worker": (200, 200, 200, 200, 200),
    "games:read-notices": (302, 405, 405, 405, 405),
    "games:ready": (302, 405, 405, 405, 405),
    "games:case": (302, 404, 404, 404, 200),
    "games:deal": (302, 404, 404, 404, 405),
    "games:moderation": (302, 404, 404, 404, 200),
    "games:name-master": (302, 404, 404, 404, 405),
    "games:readmit": (302, 404, 404, 404, 405),
    "games:release-game": (302, 404, 404, 404, 405),
    "games:sign-ins": (302, 404, 404, 404, 405),
    "games:stop-game": (302, 404, 404, 404, 405),
    "games:suspend": (302, 404, 404, 404, 405),
    "games:search": (200, 200, 200, 200, 200),
    "games:seat": (302, 302, 302, 302, 302),
    "games:seat-player": (302, 405, 405, 405, 405),
    "games:statement": (302, 405, 405, 405, 405),
    "games:take-over": (302, 405, 405, 405, 405),
    "games:talk": (302, 302, 200, 302, 302),
    "games:terms": (200, 200, 200, 200, 200),
    "games:theme": (405, 405, 405, 405, 405),
    "games:thread": (404, 404, 200, 404, 404),
    "games:timetable": (302, 200, 200, 200, 200),
    "games:undone": (200, 200, 200, 200, 200),
    "games:unread": (404, 404, 200, 200, 404),
    "games:unsubscribe": (404, 404, 404, 404, 404),
    "games:variant": (200, 200, 200, 200, 200),
    "games:variants": (200, 200, 200, 200, 200),
    "games:vote": (302, 405, 405, 405, 405),
    "games:webhook": (302, 404, 404, 200, 404),
    "games:whatif": (200, 200, 200, 200, 200),
    "games:withdraw": (302, 405, 405, 405, 405),
    "healthz": (200, 200, 200, 200, 200),
    "metrics": (404, 404, 404, 404, 404),
    "mfa_activate_totp": (302, 302, 302, 302, 302),
    "mfa_add_webauthn": (302, 302, 302, 302, 302),
    "mfa_authenticate": (302, 302, 302, 302, 302),
    "mfa_deactivate_totp": (302, 404, 404, 404, 404),
    "mfa_download_recovery_codes": (302, 404, 404, 404, 404),
    "mfa_edit_webauthn": (302, 302, 302, 302, 302),
    "mfa_generate_recovery_codes": (302, 302, 302, 302, 302),
    "mfa_index": (302, 200, 200, 200, 200),
    "mfa_list_webauthn": (302, 200, 200, 200, 200),
    "mfa_login_webauthn": (302, 302, 302, 302, 302),
    "mfa_reauthenticate": (302, 302, 302, 302, 302),
    "mfa_reauthenticate_webauthn": (302, 302, 302, 302, 302),
    "mfa_remove_webauthn": (302, 302, 302, 302, 302),
    "mfa_view_recovery_codes": (302, 404, 404, 404, 404),
    "readyz": (503, 503, 503, 503, 503),  # nobody looks for deadlines in this test
    "status": (200, 200, 200, 200, 200),
    "styleguide": (404, 404, 404, 404, 404),
}

# An empty form, to the addresses of the games only.
POST: dict[str, tuple[int, int, int, int, int]] = {
    "api:game": (401, 405, 405, 405, 405),
    "api:games": (401, 405, 405, 405, 405),
    "api:master": (401, 404, 404, 415, 404),
    "api:phase": (401, 405, 405, 405, 405),
    "api:proposals": (401, 404, 415, 404, 404),
    "api:resign": (401, 404, 200, 404, 404),
    "api:sheet": (401, 405, 405, 405, 405),
    "api:sitter": (401, 404, 415, 404, 404),
    "api:sitting": (401, 405, 405, 405, 405),
    "api:sittings": (401, 405, 405, 405, 405),
    "api:talk": (401, 405, 405, 405, 405),
    "api:thread": (401, 404, 415, 404, 404),
    "api:variants": (401, 405, 405, 405, 405),
    "api:vote": (401, 405, 405, 405, 405),
    "games:absences": (302, 404, 200, 404, 404),
    "games:amend": (302, 404, 404, 422, 404),
    "games:act": (302, 404, 404, 303, 404),
    "games:back": (302, 404, 404, 422, 404),
    "games:bell": (405, 405, 405, 405, 405),
    "games:block": (302, 303, 303, 303, 303),
    "games:bids": (302, 404, 404, 200, 404),
    "games:answer": (302, 404, 404, 303, 404),
    "games:answer-approach": (302, 404, 404, 303, 404),
    "games:come-back": (302, 303, 303, 303, 303),
    "games:invite": (302, 404, 404, 303, 404),
    "games:offer": (302, 404, 404, 404, 404),
    "games:remark": (302, 404, 404, 404, 404),
    "games:resign": (302, 404, 303, 404, 404),
    "games:seats": (405, 405, 405, 405, 405),
    "games:standby": (302, 303, 303, 303, 303),
    "games:vacant": (404, 404, 404, 404, 404),
    "games:answer-sitting": (302, 303, 303, 303, 303),
    "games:sitter": (302, 404, 200, 404, 404),
    "games:sitting": (302, 405, 405, 405, 405),
    "games:ask": (302, 303, 303, 303, 303),
    "games:calendar": (405, 405, 405, 405, 405),
    "games:cancel-absence": (302, 404, 303, 404, 404),
    "games:card": (405, 405, 405, 405, 405),
    "games:choose-phase": (302, 405, 405, 405, 405),
    "games:close": (302, 404, 404, 303, 404),
    "games:confirm": (302, 303, 303, 303, 303),
    "games:create": (302, 200, 200, 200, 200),
    "games:disorder": (302, 404, 404, 303, 404),
    "games:empty-seat": (302, 404, 404, 422, 404),
    "games:extend": (302, 404, 404, 422, 404),
    "games:feed": (405, 405, 405, 405, 405),
    "games:gallery": (404, 404, 404, 404, 404),
    "games:game": (405, 405, 405, 405, 405),
    "games:game-feed": (405, 405, 405, 405, 405),
    "games:gm": (302, 405, 405, 405, 405),
    "games:hand-over": (302, 404, 404, 422, 404),
    "games:take-game": (302, 404, 404, 404, 404),
    "games:history": (405, 405, 405, 405, 405),
    "games:home": (405, 405, 405, 405, 405),
    "games:invited": (405, 405, 405, 405, 405),
    "games:learn": (405, 405, 405, 405, 405),
    "games:leave": (302, 303, 303, 303, 303),
    "games:lesson": (405, 405, 405, 405, 405),
    "games:lobby": (405, 405, 405, 405, 405),
    "games:lobby-feed": (405, 405, 405, 405, 405),
    "games:map": (405, 405, 405, 405, 405),
    "games:messages": (405, 405, 405, 405, 405),
    "games:message": (302, 404, 404, 404, 404),
    "games:mute": (302, 404, 303, 404, 404),
    "games:my-calendar": (302, 303, 303, 303, 303),
    "games:notices": (302, 405, 405, 405, 405),
    "games:notify": (302, 422, 422, 422, 422),
    "games:notify-game": (302, 404, 303, 303, 404),
    "games:notebook": (302, 404, 303, 404, 404),
    "games:order-form": (405, 405, 405, 405, 405),
    "games:orders": (302, 404, 409, 404, 404),
    "games:person": (405, 405, 405, 405, 405),
    "games:phase": (405, 405, 405, 405, 405),
    "games:picture": (405, 405, 405, 405, 405),
    "games:position": (302, 404, 404, 422, 404),
    "games:preview": (302, 404, 404, 303, 404),
    "games:print": (405, 405, 405, 405, 405),
    "games:profile": (302, 200, 200, 200, 200),
    "games:revoke-token": (302, 303, 303, 303, 303),
    "games:tokens": (302, 302, 302, 302, 302),
    "games:proposals": (404, 404, 422, 404, 404),
    "games:pulse": (405, 405, 405, 405, 405),
    "games:read": (302, 404, 404, 404, 404),
    "games:push-off": (302, 303, 303, 303, 303),
    "games:push-on": (302, 422, 422, 422, 422),
    "games:push-topics": (302, 303, 303, 303, 303),
    "games:push-worker": (405, 405, 405, 405, 405),
    "games:read-notices": (302, 303, 303, 303, 303),
    "games:ready": (302, 404, 303, 404, 404),
    "games:case": (302, 404, 404, 404, 405),
    "games:deal": (302, 404, 404, 404, 303),
    "games:moderation": (302, 404, 404, 404, 405),
    "games:name-master": (302, 404, 404, 404, 303),
    "games:readmit": (302, 404, 404, 404, 303),
    "games:release-game": (302, 404, 404, 404, 303),
    "games:sign-ins": (302, 404, 404, 404, 303),
    "games:stop-game": (302, 404, 404, 404, 422),
    "games:suspend": (302, 404, 404, 404, 422),
    "games:search": (405, 405, 405, 405, 405),
    "games:seat": (302, 303, 303, 303, 303),
    "games:seat-player": (302, 404, 404, 422, 404),
    "games:statement": (302, 404, 404, 404, 404),
    "games:take-over": (302, 404, 303, 404, 404),
    "games:talk": (405, 405, 405, 405, 405),
    "games:terms": (405, 405, 405, 405, 405),
    "games:theme": (303, 303, 303, 303, 303),
    "games:thread": (404, 404, 422, 404, 404),
    "games:timetable": (302, 405, 405, 405, 405),
    "games:undone": (405, 405, 405, 405, 405),
    "games:unread": (405, 405, 405, 405, 405),
    "games:unsubscribe": (404, 404, 404, 404, 404),
    "games:variant": (405, 405, 405, 405, 405),
    "games:variants": (405, 405, 405, 405, 405),
    "games:vote": (302, 404, 303, 404, 404),
    "games:webhook": (302, 404, 404, 303, 404),
    "games:whatif": (200, 200, 200, 200, 200),
    "games:withdraw": (302, 404, 303, 404, 404),
}

NOTHING_HERE = {302, 401, 404, 405}
"""To sign in, no right to write at all, nothing there, or wrong method: none of them tells whether the game exists."""


def own(game: Game) -> set[str]:
    """The addresses that are not the admin's."""
    return {name for name in addresses(game) if not name.startswith("admin:")}


def test_every_address_has_a_row() -> None:
    names = own(running_game())
    assert set(GET) == names
    assert set(POST) == {name for name in names if name.startswith(OWN_PARTS)}


@pytest.mark.parametrize(("column", "viewer"), list(enumerate(VIEWERS)))
def test_every_address_answers_every_role_as_its_row_says(column: int, viewer: str) -> None:
    game = running_game()
    Story(game).deadline()
    seen = observed_by(viewer, game)
    assert {name: seen[f"GET {name}"].status for name in GET} == {
        name: row[column] for name, row in GET.items()
    }
    assert {name: seen[f"POST {name}"].status for name in POST} == {
        name: row[column] for name, row in POST.items()
    }


@pytest.mark.parametrize("viewer", ["eve", "dave", "sam"])
def test_a_game_by_invitation_does_not_exist_for_who_is_not_invited(viewer: str) -> None:
    game = running_game(name="Rapallo", by_invitation=True)
    seen = observed_by(viewer, game)
    about_it = [name for name, path in addresses(game).items() if game.slug in path]
    assert len(about_it) > 15
    for name in about_it:
        for method in ("GET", "POST"):
            assert seen[f"{method} {name}"].status in NOTHING_HERE, name
    shown = [name for name, page in seen.items() if "Rapallo" in page.body and "admin:" not in name]
    assert shown == []


def test_the_admin_pages_are_for_the_staff_only() -> None:
    game = running_game()
    admin = {name: path for name, path in addresses(game).items() if name.startswith("admin:")}
    assert len(admin) > 20
    assert not [name for name in admin if "sheet" in name or "sealed" in name]
    for viewer in ("eve", "alice", "carol"):
        browser = signed_in(viewer)
        for name in sorted(set(admin) - {"admin:login", "admin:logout"}):
            assert browser.get(admin[name]).status_code == 302, (viewer, name)
