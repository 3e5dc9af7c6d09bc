"""A few games as one version stores them: every later version must be able to restore that.

    python -m tests.operation.release

writes a backup of them into the folder `releases`, once for each release. Its migrations stay, or are squashed with
`replaces`.
"""

from __future__ import annotations

import os
from pathlib import Path

RELEASES = Path(__file__).parent / "releases"


def fill() -> None:
    """A game of people with bids, messages and saved orders, one that bots have finished, one that waits for players,
    and one to practise in."""
    from games.endings.services import write_statement  # noqa: PLC0415 - reads the settings
    from games.management.rehearsal import create_bot_game, play_to_the_end  # noqa: PLC0415
    from games.practice.services import start_practice  # noqa: PLC0415
    from games.press.services import send_message  # noqa: PLC0415
    from games.seating.services.new_game import take_seat  # noqa: PLC0415
    from tests.cast import CAROL, PLAYERS, person  # noqa: PLC0415
    from tests.factories import powers_of, running_game, waiting_game  # noqa: PLC0415
    from tests.story import Story  # noqa: PLC0415

    carol, people = person(CAROL).pk, [person(name).pk for name in PLAYERS]
    game = running_game(name="People")
    story = Story(game)
    send_message(game_id=game.pk, user_id=carol, text="Welcome.", as_gm=True)
    send_message(game_id=game.pk, user_id=people[0], text="Peace, everyone?")
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.deadline()
    story.order("GERMANY", "A Ber H")
    bots = create_bot_game(name="Bots", variant="balkan-battle", gm=carol, players=people[:2], early=True)
    play_to_the_end(bots, years=1)
    write_statement(game_id=bots.pk, user_id=people[0], text="Thanks, all.")
    waiting = waiting_game(name="Waiting")
    take_seat(game_id=waiting.pk, user_id=people[0], power=powers_of(waiting)[0], token=waiting.invitation)
    start_practice(user_id=people[4], variant="balkan-battle")


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "diplomacy_site.settings.test"
    import django  # noqa: PLC0415 - only once its settings are known, as is where the servers are

    import tests.servers  # noqa: F401, PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    from diplomacy_site import __version__  # noqa: PLC0415

    call_command("migrate", verbosity=0, interactive=False)
    fill()
    call_command("backup", str(RELEASES / f"{__version__}.backup"))


if __name__ == "__main__":
    main()
