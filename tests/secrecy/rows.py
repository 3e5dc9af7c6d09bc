"""Which role gets which status at which address. Give a new page its line in `ROWS`, or the build fails:

    "games:one": SEAT.page(),                  # its group, and whether it is a page, a form or a door
    "games:another": DESK.form(303, gm=404),   # what an empty form gets, and the roles that differ

The status says what is compared: a page (2xx), a redirection (3xx) or a refusal (4xx). All of them must be the same in
worlds that differ in secrets.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import admin

from games.mastering.acts import ACTS, WITH_BUTTON
from games.tournaments.acts import ACTS as TOURNAMENT_ACTS
from tests.secrecy.addresses import LIBRARIES, Address, everywhere
from tests.secrecy.groups import (
    ADMIN,
    API,
    API_DESK,
    API_SEAT,
    API_SHEET,
    AT_THE_TABLE,
    DESK,
    MASTER,
    MODERATION,
    OFFER,
    PERSONAL,
    PUBLIC,
    SEAT,
    SHEET,
    TALK,
    Row,
)
from tests.secrecy.observation import OWN_PARTS

ACTS_OF_SERIES = ("publish", "delete", "add_director", "choose_to_play", "stop_directing", "put_game", "take_out")
"""The acts of directors that a series has, too."""
ACTS_OF_CUP = (
    "answer_claim",
    "finish",
    "look",
    "move_end",
    "remove_table",
    "delete_round",
    "call_check_in",
    "set_check_in",
    "set_place",
)
"""Those of a tournament alone."""
ELSEWHERE = {"finish", "remove_table", "delete_round"}
"""Those whose buttons are on other pages than most."""
FORMER_OF_CUP = ("former-call_check_in", "former-set_place")


def directors(status: int) -> dict[str, int]:
    """What the directors of the tournament get, who also play, but for the game master."""
    return dict.fromkeys(("gm", "playing_gm", "player", "ally"), status)


def each(names: str, row: Row) -> dict[str, Row]:
    return dict.fromkeys(names.split(), row)


ROWS: dict[str, Row] = {
    "account_confirm_email": PUBLIC.get(200),
    "account-delete": PERSONAL.get(200),
    "account-elsewhere": PERSONAL.opened(),
    "account-export": PERSONAL.opened(),
    "account-name": PERSONAL.get(200),
    "admin:login": MODERATION.get(303, moderator=404),
    "api:board": API.page(),
    "api:assist": API.page(405),  # takes PUT and DELETE
    "api:absence": API.page(405),  # takes DELETE
    "api:absences": API_SEAT.get(200) | API_SEAT.post(415),
    "api:bot": API.page(405),  # takes DELETE
    "api:changes": API.page(stranger=401),
    "api:come-back": API.door(409),
    "api:confirm": API.door(409),
    "api:consent": API.page(405),  # takes PUT
    "api:requests": API.page(),
    "api:desk": API_DESK.get(200, stranger=401) | API.post(405),
    "api:events": API.get(200) | API.post(405),
    **each(" ".join(f"api:gm-{verb}" for verb in ACTS), API_DESK.door(415)),
    "api:gm-look_at_all_bids": API_DESK.door(403, gm=200, assistant=200, blind_gm=409),
    "api:gm-enters": API.page(405),  # takes PUT
    "api:gm-remind": API_DESK.door(403, gm=200, assistant=200),
    "api:gm-preview": API_DESK.door(403, gm=200, assistant=200, blind_gm=200),
    "api:gm-start": API_DESK.door(409),
    "api:gm-start_anyway": API_DESK.door(409),
    "api:gm-cancel_roll_call": API_DESK.door(409),
    "api:gm-take_back": API_DESK.door(409, gm=200, assistant=403),
    "api:hand-over": API.page(405),  # takes PUT
    "api:join": API.door(415),
    "api:leave": API.door(409),
    "api:notices": API.page(stranger=401),
    "api:offer": API.page(405),  # takes PUT
    "api:proposal": API.page(405),  # takes DELETE
    "api:statement": API.page(405),  # takes PUT
    "api:read-notices": API.door(415),
    "api:ready": API.page(405),  # takes PUT
    "api:request": API.door(409),
    "api:test-webhook": API.door(404),
    "api:vacant": API.door(404),
    "api:webhook": API.get(404, stranger=401) | API.post(405),
    "api:webhooks": API.get(200, stranger=401) | API.post(415),
    "api:wishes": API.page(405),  # takes PUT
    "api:game": API.page(),
    "api:games": API.form(415),
    "api:guide": PUBLIC.page(),
    "api:log": API.page(),
    "api:nothing": PUBLIC.get(404) | PUBLIC.post(404),
    "api:phase": API.page(),
    "api:proposals": API.get(200) | API_SEAT.post(415),
    "api:record": API.page(),
    "api:reference": PUBLIC.page(),
    "api:resign": API_SEAT.door(200),
    "api:schema": API.page(),
    "api:saved": API_DESK.page(403, stranger=401, gm=200, assistant=200),
    "api:sheet": API_SHEET.page(),
    "api:sitter": API_SEAT.get(200, ally=404, playing_gm=404) | API_SEAT.post(415),
    "api:sitting": API.page(405),  # takes PUT
    "api:sittings": API.page(),
    "api:talk": API.page(),
    "api:thread": API_SHEET.form(415),
    "api:variant": API.page(),
    "api:variants": API.page(),
    "api:vote": API.page(405),  # takes PUT
    "events": PUBLIC.get(204),
    "games:absences": SEAT.form(200),
    **each(" ".join(f"games:gm-{verb}" for verb, act in WITH_BUTTON.items() if not act.blamed), DESK.door()),
    **each(" ".join(f"games:gm-{verb}" for verb, act in WITH_BUTTON.items() if act.blamed), DESK.door(422)),
    **each("games:gm-hand_over games:gm-name_assistant games:gm-dismiss_assistant", MASTER.door(422)),
    "games:gm-take_back": MASTER.door(),
    **each("games:gm-from-assistants games:gm-from-hand-over", MASTER.door(422)),
    **each("games:gm-from-bot games:gm-from-bot-out games:gm-from-seat-back", DESK.door(422)),
    **each("games:gm-from-cancel-roll-call games:gm-from-roll-call games:gm-from-start-anyway", DESK.door()),
    "games:add-game": PERSONAL.form(),
    "games:choose-orders": DESK.page(),
    "games:assist": OFFER.form(303),
    "games:correct": DESK.form(),
    "games:answer": DESK.door(),
    "games:answer-approach": DESK.door(),
    "games:answer-consent": PERSONAL.door(),
    "games:change-terms": MASTER.form(200),
    "games:consent": PERSONAL.page(),
    "games:answer-sitting": PERSONAL.door(),
    "games:ask": PERSONAL.door(),
    "games:back": DESK.form(),
    "games:bell": PUBLIC.page(stranger=404),
    "games:bid-table": PUBLIC.page(404),  # of a game that is over and published them
    "games:edit-round": PERSONAL.get(404, **directors(200)) | PERSONAL.post(404, **directors(422)),
    "games:edit-tournament": PERSONAL.get(404, gm=200, playing_gm=200) | PERSONAL.post(404, gm=422, playing_gm=422),
    "games:enter-orders": DESK.form(409, blind_gm=404, playing_gm=404),
    "games:new-series": PERSONAL.form(),
    "games:new-round": PERSONAL.get(404, **directors(200)) | PERSONAL.post(404, **directors(422)),
    "games:new-tournament": PERSONAL.form(),
    "games:read-entered": DESK.door(404),  # no phase is named
    "games:newest": SHEET.page(),
    "games:newest-entered": DESK.page(blind_gm=404, playing_gm=404),
    "games:gm-enters": SEAT.door(),
    "games:bids": DESK.door(gm=200, assistant=200),
    "games:all-bids": DESK.door(gm=200, assistant=200),
    "games:block": PERSONAL.door(),
    "games:bring": PERSONAL.form(),
    "games:bring-form": PERSONAL.page(),
    "games:calendar": PUBLIC.page(),
    "games:board": PUBLIC.page(),
    "games:newest-map": PUBLIC.page(),
    "games:newest-picture": PUBLIC.page(),
    "games:oembed": PUBLIC.page(404),  # of no game
    "games:cancel-absence": SEAT.door(),
    "games:card": PUBLIC.page(),
    "games:accounts": MODERATION.form(),
    "games:case": MODERATION.page(),
    "games:check-us": PUBLIC.page(),
    "games:choose-phase": DESK.page(302),
    "games:close": MASTER.form(303),
    "games:come-back": PERSONAL.door(),
    "games:confirm": PERSONAL.door(),
    "games:create": PERSONAL.form(200),
    "games:delete-practice": PERSONAL.door(),
    "games:deal": MODERATION.door(422),
    "games:discard-typed": PERSONAL.door(),
    "games:disorder": DESK.form(303),
    "games:mailed": PUBLIC.get(404) | PERSONAL.post(404),  # of no invitation
    "games:export": PUBLIC.page(),
    "games:feed": PUBLIC.page(stranger=404),  # anyone with a secret address
    "games:gallery": PUBLIC.get(200) | PERSONAL.post(422),
    "games:follow": PERSONAL.door(),
    "games:game": PUBLIC.page(),
    "games:game-feed": PUBLIC.page(),
    "games:glossary": PUBLIC.page(),
    "games:gm": DESK.page(),
    "games:history": PUBLIC.page(),
    "games:home": PUBLIC.page(),
    "games:invited": PUBLIC.page(302),
    "games:learn": PUBLIC.page(),
    "games:leave": PERSONAL.door(),
    "games:lesson": PUBLIC.page(),
    "games:lesson-by-number": PUBLIC.page(301),
    "games:lobby": PUBLIC.page(),
    "games:lobby-feed": PUBLIC.page(),
    "games:log": PUBLIC.page(),
    "games:manifest": PUBLIC.page(),
    "games:map": PUBLIC.page(),
    "games:message": SHEET.form(),
    "games:messages": TALK.page(),
    "games:missing": DESK.page(404, gm=200, assistant=200),
    "games:moderation": MODERATION.page(),
    "games:mute": SHEET.door(),
    "games:my-calendar": PERSONAL.form(303),
    "games:name-master": MODERATION.door(422),
    "games:never-invite": PUBLIC.get(404) | PUBLIC.post(404),  # of no invitation
    "games:notebook": SEAT.form(303),
    "games:notices": PERSONAL.page(),
    "games:notify": PERSONAL.form(),
    "games:notify-game": AT_THE_TABLE.form(303),
    "games:offline": PUBLIC.page(),
    "games:offer": PERSONAL.get(404) | PERSONAL.post(404),  # no one is offered a seat
    "games:order-form": PUBLIC.page(),
    "games:orders": SHEET.form(409),
    "games:outlook": PERSONAL.page(),
    "games:own-bot": PERSONAL.door(),
    "games:person": PUBLIC.page(),
    "games:phase": PUBLIC.page(),
    "games:picture": PUBLIC.page(),
    "games:position": DESK.form(),
    "games:play": PUBLIC.form(303),
    "games:preview": DESK.door(gm=200, assistant=200, blind_gm=200),
    "games:print": PUBLIC.page(),
    "games:rematch": PERSONAL.door(),
    "games:profile": PERSONAL.form(200),
    "games:proposals": PUBLIC.get(200) | SEAT.post(422),
    "games:pulse": PUBLIC.page(),
    "games:push-off": PERSONAL.door(),
    "games:push-on": PERSONAL.door(422),
    "games:push-topics": PERSONAL.door(),
    "games:read": SHEET.door(404),  # no phase is named
    "games:read-notices": PERSONAL.door(),
    "games:readmit": MODERATION.door(422),
    "games:ready": SHEET.door(),
    "games:receipt": SEAT.page(),
    "games:record": PUBLIC.page(),
    "games:release-game": MODERATION.door(422),
    "games:remark": PERSONAL.form(),
    "games:remove-webhook": PERSONAL.opened() | PERSONAL.post(404),  # of someone else
    "games:resign": SEAT.form(303),
    "games:revoke-token": PERSONAL.door(),
    "games:search": PUBLIC.page(),
    "games:quick": PERSONAL.form(303),
    "games:seat": PERSONAL.get(302) | PERSONAL.post(303),
    "games:seats": PUBLIC.page(),
    "games:sign-up": PUBLIC.page(303),
    "games:sign-up-links": MODERATION.form(),
    "games:results": PUBLIC.page(),
    "games:standings": PUBLIC.page(),
    "games:standings-json": PUBLIC.page(),
    "games:tournament": PUBLIC.page(),
    "games:tournament-feed": PUBLIC.page(),
    "games:hall": PUBLIC.page(),
    **each(" ".join(f"api:do-{verb}" for verb, act in TOURNAMENT_ACTS.items() if act.by_programs), API.door(415)),
    **each(
        " ".join(["games:former-add_director", *(f"games:do-{verb}" for verb in ACTS_OF_SERIES)]),
        PERSONAL.opened() | PERSONAL.post(404, gm=303, playing_gm=303),
    ),
    **each(
        " ".join(f"games:{name}" for name in (*(f"do-{verb}" for verb in ACTS_OF_CUP), *FORMER_OF_CUP)),
        PERSONAL.opened() | PERSONAL.post(404, **directors(303)),
    ),
    "games:former-delete_round": PERSONAL.opened() | PERSONAL.post(404, **directors(303)),
    **each("games:do-enter games:do-claim games:do-withdraw games:do-check_in games:former-check_in", PERSONAL.door()),
    "api:do-publish": API.door(403, **directors(409)),
    "api:do-delete": API.door(403, **directors(409)),
    "api:do-finish": API.door(403, **directors(409)),
    "api:do-look": API.door(403, gm=200),  # the other directors play
    "api:do-stop_directing": API.door(403, **directors(200)),
    "api:do-withdraw": API.door(403, player=200),
    "api:tournament": API.page(),
    "api:tournaments": API.form(415),
    "api:plan": API.page(404, stranger=401, **directors(200)),
    "games:manage-tournament": PERSONAL.get(404, **directors(200)) | PERSONAL.post(404, **directors(422)),
    "games:moderate-tournament": MODERATION.form(),
    "games:report-tournament": PERSONAL.form(),
    "games:own-entry": PERSONAL.get(404, player=200) | PERSONAL.post(404, player=303),
    "games:type-table": PERSONAL.get(404, **directors(200)) | PERSONAL.post(404, **directors(422)),
    "games:plan": PERSONAL.get(404, **directors(200)) | PERSONAL.post(404, **directors(303)),
    "games:tournament-invitation": PUBLIC.get(303) | PERSONAL.post(303),
    "games:tournament-link": PUBLIC.page(302),
    "games:tournament-desk": PERSONAL.get(404, **directors(200)) | PERSONAL.post(404),
    "games:tournament-games": PERSONAL.get(404, gm=200, playing_gm=200) | PERSONAL.post(404, gm=303, playing_gm=303),
    "games:tournaments": PUBLIC.page(),
    "games:withdraw-link": MODERATION.door(),
    "games:sign-ins": MODERATION.door(422),
    "games:sitter": SEAT.form(200),
    "games:sitting": PERSONAL.page(),
    "games:standby": PERSONAL.form(303),
    "games:statement": SEAT.door(playing_gm=404),  # of a game that is over
    "games:step-down": DESK.door(),
    "games:stop-game": MODERATION.door(422),
    "games:suspend": MODERATION.door(422),
    "games:take-game": OFFER.form(303),
    "games:take-over": SEAT.door(),
    "games:talk": PUBLIC.page(
        302, player=200, ally=200, sitter=200, gm=200, assistant=200, blind_gm=200, playing_gm=200
    ),
    "games:terms": PUBLIC.page(),
    "games:test-webhook": PERSONAL.opened() | PERSONAL.post(404),  # of someone else
    "games:webhook-reminders": PERSONAL.opened() | PERSONAL.post(404),  # of someone else
    "games:theme": PUBLIC.door(),
    "games:thread": SHEET.form(),
    "games:tokens": PERSONAL.get(302) | PERSONAL.post(302),
    "games:unask": PERSONAL.door(),
    "games:undone": PUBLIC.page(),
    "games:unread": TALK.page(gm=200, assistant=200, blind_gm=200),
    "games:unsubscribe": PUBLIC.form(200, stranger=404),
    "games:vacant": PUBLIC.get(200, blind_gm=404, playing_gm=404)
    | PERSONAL.post(303, blind_gm=404, playing_gm=404),  # there are none in their games
    "games:variant": PUBLIC.page(),
    "games:variants": PUBLIC.page(),
    "games:version": MODERATION.page(),
    "games:vote": SEAT.door(),
    "games:webhooks": PERSONAL.form(200),
    "games:welcome": PERSONAL.page(),
    "games:whatif": PUBLIC.form(200),
    "games:withdraw": SEAT.door(),
    "games:words": PUBLIC.page(),
    "games:worker": PUBLIC.page(),
    "healthz": PUBLIC.get(200),
    "robots": PUBLIC.get(200),
    "metrics": PUBLIC.get(404),
    "readyz": PUBLIC.get(503),  # deadlines are not checked here
    "status": PUBLIC.get(200),
    "styleguide": PUBLIC.get(404),
    "webdiplomacy": PUBLIC.get(404),  # only tokens get in: tests/api/test_webdiplomacy.py
}

OWN_IN_API = {
    "absences": "api:absences",
    "book_days": "api:absences",
    "game": "api:game",
    "gm_enter_orders": "api:gm-enter_orders",
    "name_sitter": "api:sitter",
    "phase": "api:phase",
    "save_sheet": "api:sheet",
    "sheet": "api:sheet",
    "sitter": "api:sitter",
    "sittings": "api:sittings",
}
"""The operations of the API that show what is one seat's own, and the rows in which their answers are compared."""

EXCEPTIONS: dict[tuple[str, str], tuple[str, str]] = {
    ("gm", "GET games:manage-tournament"): (
        "wishes",
        "a director who has looked, and so never plays, sees what entrants wish, and how many have checked in",
    ),
    ("gm", "POST games:manage-tournament"): ("wishes", "the same page, with a mistake in the list"),
    **{
        ("gm", f"GET games:{name}"): ("wishes", "its button is on that page")
        for name in (
            *(f"do-{verb}" for verb in ACTS_OF_CUP if verb not in {"finish", "remove_table", "delete_round"}),
            *FORMER_OF_CUP,
        )
    },
    ("gm", "GET games:plan"): ("wishes", "the same: how many play"),
    ("gm", "POST api:gm-look_at_bids filled"): ("bids", "the same as on the desk's page"),
    ("gm", "POST api:gm-look_at_all_bids"): ("bids", "the same as on the desk's page"),
    ("gm", "POST api:gm-preview"): ("sheets", "the same as on the desk's page"),
    ("gm", "POST games:bids"): (
        "bids",
        "a game master who does not play may look at the bids of closed phases where the game says so; "
        "each look is in the public log",
    ),
    ("gm", "POST games:all-bids"): ("bids", "the same for all phases"),
    ("gm", "GET games:missing"): (
        "sheets",
        "a game master who does not play sees who has saved, yes or no, where the terms of the game say so",
    ),
    ("gm", "GET api:saved"): ("sheets", "the same as on the page"),
    ("assistant", "GET games:missing"): ("sheets", "the same as the game master"),
    ("assistant", "GET api:saved"): ("sheets", "the same as the game master"),
    ("gm", "POST games:preview"): (
        "sheets",
        "a game master who does not play may look beforehand where the game says so; each look is in the public log",
    ),
    ("blind gm", "POST games:preview"): ("sheets", "the same; of no bid, which the table compares apart"),
    ("blind gm", "POST api:gm-preview"): ("sheets", "the same as on the desk's page"),
    ("assistant", "POST api:gm-look_at_bids filled"): ("bids", "the same as the game master"),
    ("assistant", "POST api:gm-look_at_all_bids"): ("bids", "the same as the game master"),
    ("assistant", "POST api:gm-preview"): ("sheets", "the same as the game master"),
    ("assistant", "POST games:all-bids"): ("bids", "the same as the game master"),
    ("assistant", "POST games:bids"): ("bids", "the same as the game master"),
    ("assistant", "POST games:preview"): ("sheets", "the same as the game master"),
    ("gm", "POST api:gm-look_at_sheet filled"): ("bids", "to correct them, where the game says so; logged as a look"),
    ("assistant", "POST api:gm-look_at_sheet filled"): ("bids", "the same as the game master"),
    ("gm", "GET games:enter-orders"): ("sheets", "Germany's player lets the game master enter orders"),
    ("gm", "POST games:read-entered filled"): ("sheets", "Germany's player lets the game master enter orders"),
    ("gm", "GET games:newest-entered"): ("sheets", "Germany's player lets the game master enter orders"),
    ("gm", "POST games:enter-orders filled"): ("sheets", "what they meet there is on that page too"),
    ("assistant", "GET games:newest-entered"): ("sheets", "the same as the game master"),
    ("assistant", "POST games:enter-orders filled"): ("sheets", "the same as the game master"),
    ("assistant", "GET games:enter-orders"): ("sheets", "the same as the game master"),
    ("assistant", "POST games:read-entered filled"): ("sheets", "the same as the game master"),
    ("staff", "GET admin:kernel_letter_changelist"): (
        "requests",
        "the staff reads to whom the site has written and of what kind, so also that somebody asks to join",
    ),
}
"""The roles that may see a kind of secret, and why. Each must be needed."""


REFUSED = (302, 404, 405)
RULES: dict[str, Row] = {
    "account_": PUBLIC.get(200, *REFUSED),
    "mfa_": replace(PERSONAL, sign_in={"GET": REFUSED}).get(200, *REFUSED),
    "admin:": replace(ADMIN, sign_in={"GET": REFUSED}, others=REFUSED).get(200, 403, *REFUSED),
}
"""What any library page may answer, by the start of its name. No stranger gets a page about second
factors, and only staff get an admin page."""

AS_THEY_ARE: dict[str, Row] = {
    **each(
        "account_email_verification_sent account_inactive account_reset_password "
        "account_reset_password_done account_reset_password_from_key account_reset_password_from_key_done",
        PUBLIC.get(200),
    ),
    **each("account_login account_signup", PUBLIC.get(302, stranger=200)),
    **each(
        "account_change_password account_email account_logout account_reauthenticate mfa_index mfa_list_webauthn",
        PERSONAL.get(200),
    ),
    **each(
        "account_confirm_login_code account_set_password mfa_activate_totp mfa_add_webauthn mfa_authenticate "
        "mfa_edit_webauthn mfa_generate_recovery_codes mfa_login_webauthn mfa_reauthenticate "
        "mfa_reauthenticate_webauthn mfa_remove_webauthn",
        PERSONAL.get(302),
    ),
    **each("mfa_deactivate_totp mfa_download_recovery_codes mfa_view_recovery_codes", PERSONAL.get(404)),
    **each(
        "admin:index admin:app_list admin:autocomplete admin:jsi18n admin:password_change "
        "admin:password_change_done admin:auth_user_password_change admin:accounts_user_add "
        "admin:auth_group_add admin:auth_group_change admin:auth_group_changelist admin:auth_group_delete "
        "admin:auth_group_history admin:account_emailaddress_add admin:account_emailaddress_changelist",
        ADMIN.get(200),
    ),
    **each(
        "admin:account_emailaddress_change admin:account_emailaddress_delete admin:account_emailaddress_history",
        ADMIN.get(302),
    ),
    "admin:logout": ADMIN.get(405),
    "admin:view_on_site": ADMIN.get(404),
}
"""What the libraries' pages answer exactly, as long as they have these names."""


def of_our_models() -> dict[str, Row]:
    """The admin pages of our own models: you may look and change nothing, unless `AS_THEY_ARE` says otherwise."""
    theirs = LIBRARIES["admin:"]
    models = [model._meta for model in admin.site._registry if not model.__module__.startswith(theirs)]
    return {
        f"admin:{model.app_label}_{model.model_name}_{page}": ADMIN.get(status)
        for model in models
        for page, status in LOOK_ONLY.items()
    }


LOOK_ONLY = {"add": 403, "change": 200, "changelist": 200, "delete": 403, "history": 200}


def row_of(address: Address) -> Row | None:
    """What this address should answer; None where a row is missing."""
    if address.name in ROWS or not address.of_a_library:
        return ROWS.get(address.name)
    rule = next(rule for start, rule in RULES.items() if address.name.startswith(start))
    return {**of_our_models(), **AS_THEY_ARE}.get(address.name, rule)


def lines_to_add() -> list[str]:
    """What to write for each address that has no row, or half of one."""
    missing = []
    for address in everywhere():
        ours = address.name.startswith(OWN_PARTS)
        row = row_of(address) or {}
        if row.keys() < ({"GET", "POST"} if ours else {"GET"}):
            line = f'"{address.name}": GROUP.{"page()" if ours else "get(200)"},'
            missing.append(
                f"add to ROWS in tests/secrecy/rows.py the line  {line}  with its group and kind from groups.py"
            )
    return missing
