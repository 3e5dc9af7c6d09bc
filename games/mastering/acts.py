"""All acts of a game master. The modules that declare them are read here, so that none is missing."""

from games.consent import services as consent
from games.kernel.acts import gm_act
from games.mastering import judging, missing
from games.mastering.services import assistants, correcting, desk, repair
from games.orders import bids
from games.orders import services as orders
from games.press import services as press
from games.seating.services import bots, joining, placing, vacancies

DECLARED_IN = (
    *(consent, judging, missing, assistants, correcting, desk, repair),
    *(bids, orders, press, bots, joining, placing, vacancies),
)
ACTS = gm_act.by_name
WITH_BUTTON = {name: act for name, act in ACTS.items() if act.done}
"""Those that the desk does at once; all others have a page of their own."""
