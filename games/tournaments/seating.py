"""placeholder"""


def make_plans() -> None: ...
