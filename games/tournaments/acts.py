"""All acts of directors and entrants. The modules that declare them are read here, so that none is missing."""

from games.tournaments import ceremony, desk, elsewhere, entry, rounds, seating, services
from games.tournaments.rights import director_act, entrant_act

DECLARED_IN = (ceremony, desk, elsewhere, entry, rounds, seating, services)
BY_DIRECTORS, BY_ENTRANTS = director_act.by_name, entrant_act.by_name
ACTS = {**BY_DIRECTORS, **BY_ENTRANTS}
WITH_BUTTON = {name: act for name, act in ACTS.items() if act.done}
"""Those that a button does at once; all others have a page of their own."""
