"""What a variant notes of a province, where orders and bids for it are chosen."""

from games.orders.choices import minors_of
from variants.registry import find

AMBITION = find("ambition-and-empire")


def test_the_bids_say_whom_a_minor_power_helps() -> None:
    labels = {minor.location: minor.label for minor in minors_of(AMBITION.start, AMBITION)}
    assert labels["PAP"].endswith("(helps only Catholic units)")
    assert labels["SWI"].endswith("(Christian)")
