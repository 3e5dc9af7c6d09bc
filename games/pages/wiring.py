"""Connects hooks of lower subjects with the higher subjects that implement them. All upward dependencies are here."""

from django.utils.module_loading import autodiscover_modules

from games.consent.rules import has_askings
from games.consent.services import apply_requests_all_agreed_to, apply_requests_in_games, lapse_requests
from games.endings.queries import has_proposals
from games.endings.services import lapse_proposals, verdicts_agreed_on
from games.kernel import hooks
from games.orders.bids import publish_bids, withdraw_bids
from games.orders.queries import wanted_by_game
from games.orders.receipts import record_commitments
from games.practice.services import verdicts_where_player_is_out
from games.press.unread import newest_public_message, unread_by_game
from games.seating import queries as seating
from games.seating.services.joining import put_off_roll_call
from games.seating.services.seats import make_replacement_final, vacate_seats_of_silent_players
from games.tournaments.entry import forget_entries_of
from games.tournaments.queries import is_in_series, name_of_series, series_facts_of
from games.tournaments.results import store_outcome
from games.tournaments.rights import has_looked
from games.tournaments.services import forget_end, leave_all
from games.tournaments.standings import tell_standings
from variants.registry import offered


def connect_hooks() -> None:
    """Connect the hooks, and register every subject's news, acts and parts of the game page; called once."""
    offered()  # read before a server forks, so that its processes share them
    autodiscover_modules("news", "queries", "terms", "acts")
    hooks.is_expected.answered_by(seating.is_invited_or_may_come_back)
    hooks.public_facts.answered_by(newest_public_message, seating.sql_for_kept_places, name_of_series)
    hooks.hints_that_nothing_is_there.answered_by(has_askings, has_proposals, is_in_series)
    hooks.kept_places.answered_by(seating.sql_for_kept_places)
    hooks.seat_opened.answered_by(make_replacement_final)
    hooks.unread_by_game.answered_by(unread_by_game)
    hooks.wanted_by_game.answered_by(wanted_by_game)
    hooks.games_with_requests.answered_by(seating.games_with_requests)
    hooks.waiting_for_a_seat.answered_by(seating.users_waiting_for_seat)
    hooks.has_looked.answered_by(has_looked)
    hooks.account_left.answered_by(leave_all, forget_entries_of)
    hooks.stored_facts.answered_by(series_facts_of)
    hooks.phases_closed.answered_by(record_commitments)
    hooks.before_next_phase.answered_by(vacate_seats_of_silent_players)
    hooks.agreed_ends.answered_by(verdicts_agreed_on, verdicts_where_player_is_out)
    hooks.phases_opened.answered_by(apply_requests_in_games)
    hooks.players_changed.answered_by(apply_requests_all_agreed_to)
    hooks.game_over.answered_by(lapse_proposals, lapse_requests, publish_bids, store_outcome, tell_standings)
    hooks.end_withdrawn.answered_by(withdraw_bids, forget_end)
    hooks.time_lost.answered_by(put_off_roll_call)
