"""All acts of players and of people who want to play. The modules that declare them are read here: none is missing."""

from games.consent import services as consent
from games.deadlines import absences
from games.endings import services as endings
from games.kernel.acts import player_act
from games.mastering.services import assistants
from games.seating.services import bots, joining, new_game, rematch, sitters, vacancies

DECLARED_IN = (consent, absences, endings, assistants, bots, joining, new_game, rematch, sitters, vacancies)
ACTS = player_act.by_name
